"""The socket on which a service listens, and the address that it has for people."""

from __future__ import annotations

import socket

from sudoku_cp.errors import InvalidInput
from sudoku_cp.service.settings import PORT

PORTS_TRIED = 20
"""Ports that are tried, one after the other, if none was asked for."""


def bind(host: str, port: int | None) -> socket.socket:
    """Return a socket that is bound; raise `InvalidInput` if the port is in use, or no port near the usual one is free."""
    wanted = range(PORT, PORT + PORTS_TRIED) if port is None else [port]
    problem = ""
    for number in wanted:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM)[0]
            listener = socket.socket(family, kind, protocol)
        except (OSError, UnicodeError) as error:  # the latter for what cannot be a name
            reason = error.strerror if isinstance(error, OSError) else "it cannot be a name"
            raise InvalidInput(f"expected a host to listen on, got {host!r:.80}: {reason}") from None
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(2048)
        except OSError as error:
            listener.close()
            problem = error.strerror or str(error)
        else:
            listener.setblocking(False)  # noqa: FBT003  # the standard library's way
            return listener
    named = f"port {wanted[0]}" if port is not None else f"one of the ports {wanted[0]} to {wanted[-1]}"
    raise InvalidInput(f"expected {named} of {host} to be free: {problem}")


def address_of(listener: socket.socket, scheme: str = "http") -> str:
    """Return the address at which clients on this machine reach a socket."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # any address of this machine
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
