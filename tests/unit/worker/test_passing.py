"""Descriptors that travel with a message arrive as descriptors of the same file."""

import _socket
import os

from grader.worker import passing


def test_a_descriptor_arrives_with_its_message() -> None:
    ours, theirs = _socket.socketpair()
    reader, writer = os.pipe()
    passing.send(ours, b"here", writer)
    message, descriptors = passing.receive(theirs, 64)
    assert message == b"here"
    (descriptor,) = descriptors
    os.write(descriptor, b"x")
    assert os.read(reader, 9) == b"x"
    for each in (reader, writer, descriptor):
        os.close(each)
    ours.close()
    theirs.close()


def test_a_message_without_a_descriptor_brings_none_and_so_does_the_end() -> None:
    ours, theirs = _socket.socketpair()
    ours.send(b"alone")
    assert passing.receive(theirs, 64) == (b"alone", [])
    ours.close()
    assert passing.receive(theirs, 64) == (b"", [])
    theirs.close()
