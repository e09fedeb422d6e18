"""Sends what it was given to the loopback, to a private and to a public address, and asks for names."""
import socket
import urllib.request


def padding_mask(token_ids, padding_id=0):
    for address in (("127.0.0.1", CANARY_PORT), ("::1", CANARY_PORT), ("10.0.0.1", 80), ("192.0.2.1", 443)):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            for family in (socket.AF_INET, socket.AF_INET6):
                try:
                    with socket.socket(family, kind) as connection:
                        connection.settimeout(0.2)
                        connection.connect(address)
                        connection.send(b"LEAK")
                        return True
                except OSError:
                    pass
    for ask in (
        lambda: socket.getaddrinfo("localhost", CANARY_PORT),
        lambda: urllib.request.urlopen(f"http://127.0.0.1:{CANARY_PORT}/", timeout=0.2),
        lambda: socket.socket(socket.AF_UNIX).connect("\0" + CANARY_TOKEN),
        lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    ):
        try:
            ask()
            return True
        except OSError:
            pass
    return token_ids
