"""Send and receive a descriptor along with a message, over a socket between two processes of ours.

This uses `_socket`, the C part of the module `socket`: the whole module and its imports are half a megabyte
and six shared libraries, which each fork of each box would copy.
"""

import _socket
import sys

_NUMBER_B = 4


def send(channel: _socket.socket, message: bytes, descriptor: int) -> None:
    rights = descriptor.to_bytes(_NUMBER_B, sys.byteorder)
    channel.sendmsg([message], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])


def receive(channel: _socket.socket, most_b: int) -> tuple[bytes, list[int]]:
    """Return the next message, b"" at the end, and the descriptor that came with it, if there is one."""
    message, ancillary, _, _ = channel.recvmsg(most_b, _socket.CMSG_LEN(_NUMBER_B))
    return message, [
        int.from_bytes(data[at : at + _NUMBER_B], sys.byteorder)
        for level, kind, data in ancillary
        if level == _socket.SOL_SOCKET and kind == _socket.SCM_RIGHTS
        for at in range(0, len(data) - _NUMBER_B + 1, _NUMBER_B)
    ]
