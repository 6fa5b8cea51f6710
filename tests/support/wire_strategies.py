"""Hypothesis strategies for messages between the grader and its keepers."""

from hypothesis import strategies as st

from grader.wire import messages

sizes = st.integers(0, 2**63)
times = st.floats(0, 1e6)
words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=10)
reports = st.builds(
    messages.Report,
    ending=st.sampled_from(messages.ENDINGS),
    cpu_s=times,
    wall_s=times,
    peak_rss_b=sizes,
    mode=st.sampled_from(messages.MODES),
    answer=st.binary(max_size=30),
    stdout=st.binary(max_size=30),
    stderr=st.binary(max_size=30),
    detail=st.text(st.characters(codec="utf-8"), max_size=10),
    refused=st.lists(words, max_size=3).map(tuple),
    overhead_s=times,
    waited_s=times,
    place=st.none() | st.tuples(words, st.integers(0, 10**6)),
)
