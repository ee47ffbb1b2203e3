"""How to reach a running indexer: the address file, the handshake, and its requests as methods."""

import os
import time
from dataclasses import dataclass
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, answer_challenge, deliver_challenge
from pathlib import Path

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.index.indexer_api import IndexerCommands
from desktop_rag.processes.connection import SocketConnection
from desktop_rag.processes.service import ServiceClient, remote_method
from desktop_rag.stop import Stop

POLL_SECONDS = 0.03
HANDSHAKE_SECONDS = 5.0  # how long the process at the address may take to begin the handshake


class IndexerClient(ServiceClient):
    """`IndexerCommands` over a connection to the indexer."""

    add_folders = remote_method(IndexerCommands.add_folders)
    remove = remote_method(IndexerCommands.remove)
    restore = remote_method(IndexerCommands.restore)
    pause = remote_method(IndexerCommands.pause)
    resume = remote_method(IndexerCommands.resume)
    set_schedule = remote_method(IndexerCommands.set_schedule)
    rescan = remote_method(IndexerCommands.rescan)
    try_again = remote_method(IndexerCommands.try_again)
    change_rules = remote_method(IndexerCommands.change_rules)
    preview_rules = remote_method(IndexerCommands.preview_rules)
    check = remote_method(IndexerCommands.check)
    forget = remote_method(IndexerCommands.forget)
    relocate = remote_method(IndexerCommands.relocate)
    keep_cited = remote_method(IndexerCommands.keep_cited)
    keep_attached = remote_method(IndexerCommands.keep_attached)
    keep_vectors = remote_method(IndexerCommands.keep_vectors)
    user_is_active = remote_method(IndexerCommands.user_is_active)
    contents = remote_method(IndexerCommands.contents)
    problems = remote_method(IndexerCommands.problems)
    follow_status = remote_method(IndexerCommands.follow_status)


@dataclass(frozen=True, slots=True)
class Address:
    """Where an indexer listens (a path as bytes) and the secret to connect; stored in a file of mode 0600."""

    address: bytes
    secret: str
    pid: int


def connect(file: Path, stop: Stop | None = None) -> SocketConnection | None:
    """Connect to the indexer whose address is in `file`; return None if none answers."""
    try:
        address = decode_json(file.read_bytes(), Address)
        secret = bytes.fromhex(address.secret)
        connection = Client(os.fsdecode(address.address))
        if not _answers(connection, stop or Stop()):
            connection.close()
            return None
        answer_challenge(connection, secret)
        deliver_challenge(connection, secret)
        return SocketConnection(connection)
    except (OSError, EOFError, AuthenticationError, msgspec.DecodeError, ValueError):
        return None


def _answers(connection: "Connection[bytes, bytes]", stop: Stop) -> bool:
    """Return whether the other side starts the handshake: a frozen or foreign process may send nothing."""
    deadline = time.monotonic() + HANDSHAKE_SECONDS
    while time.monotonic() < deadline and not stop.is_set():
        if connection.poll(POLL_SECONDS):
            return True
    return False
