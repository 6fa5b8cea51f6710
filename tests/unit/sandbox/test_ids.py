"""Which user root's boxes become, by what is mapped in the user namespace."""

import grp
import os
import pwd

import pytest

from grader.sandbox import ids

HOST = [(0, 4_294_967_294)]
CONTAINER = [(0, 65_535)]


def test_on_a_host_it_is_one_that_no_account_has() -> None:
    assert ids.chosen(HOST, HOST, 4321) == 1_900_004_321


def test_in_a_container_it_is_one_of_its_own() -> None:
    taken = {ids.chosen(CONTAINER, CONTAINER, pid) for pid in range(1, 30_000, 5)}
    assert len(taken) == 6_000
    assert min(taken) >= 20_000
    assert max(taken) <= 60_000


def test_more_ids_than_accounts_can_have_are_taken_first() -> None:
    assert ids.chosen([(0, 99_999)], HOST, 7) == 65_536 + 7


@pytest.mark.parametrize(
    ("uids", "gids"),
    [
        ([(0, 0)], [(0, 0)]),
        ([(0, 65_535)], [(0, 0)]),
        ([(0, 0)], [(0, 65_535)]),
        ([], []),
        ([(0, 0), (65_534, 65_535)], [(0, 65_535)]),
    ],
)
def test_where_no_id_is_both_nobody_is_become(
    uids: list[tuple[int, int]], gids: list[tuple[int, int]]
) -> None:
    assert ids.chosen(uids, gids, 99) == -1


def test_root_s_and_accounts_ids_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: _known(uid, range(2_000, 2_003)))
    monkeypatch.setattr(grp, "getgrgid", lambda gid: _known(gid, range(2_004, 2_009)))
    few = [(0, 0), (2_000, 2_009)]
    assert {ids.chosen(few, few, pid) for pid in range(50)} == {2_003, 2_009}
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: _known(uid, range(5_000)))
    assert {ids.chosen(few, few, pid) for pid in range(50)} == {-1}


def _known(number: int, those: range) -> int:
    if number not in those:
        raise KeyError(number)
    return number


def test_it_is_another_one_in_each_process() -> None:
    assert len({ids.chosen(HOST, HOST, pid) for pid in (1, 2, 70_000, 999_999)}) == 4


@pytest.mark.skipif(os.geteuid() != 0, reason="others stay who they are")
def test_root_without_its_rights_stays_root(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ids.unprivileged_uid() > 0
    monkeypatch.setattr(ids, "may_change", lambda: False)
    assert ids.unprivileged_uid() == -1
