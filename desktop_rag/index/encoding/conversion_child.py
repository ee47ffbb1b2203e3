"""Adds an encoder in a child process that may read its files, write below the added encoders, and nothing else.

The files come from others: what a damaged or hostile one makes a library do stays without network and documents.
"""

from collections.abc import Generator, Iterator
from pathlib import Path

import msgspec

from desktop_rag.errors import EncoderError, Stopped
from desktop_rag.index.encoding.conversion import EncoderStep
from desktop_rag.index.encoding.encoder_description import read_description
from desktop_rag.index.encoding.encoder_store import AddOptions, add_encoder, published_place
from desktop_rag.index.encoding.installed_encoders import InstalledEncoder
from desktop_rag.paths import added_encoders, private_folder
from desktop_rag.processes.child import Child
from desktop_rag.processes.confinement.confine import confine_converter
from desktop_rag.processes.connection import parent_connection
from desktop_rag.stop import Job, Stop

VERB = "_encoder"
_LONGEST_REPLY = 1 << 16


class _Order(msgspec.Struct):
    source: str
    options: AddOptions


class _Begun(msgspec.Struct, tag=True):
    step: EncoderStep


class _Added(msgspec.Struct, tag=True):
    name: str


class _Refused(msgspec.Struct, tag=True):
    reason: str


_replies = msgspec.json.Decoder(_Begun | _Added | _Refused)


def add_encoder_confined(
    source: Path, options: AddOptions, stop: Stop
) -> Generator[EncoderStep, None, InstalledEncoder]:
    """Do what `add_encoder` does, in a confined child that `stop` ends; raises `EncoderError`, `Stopped`."""
    child = Child.start(VERB)
    with stop.interrupting(child.end):
        try:
            child.connection.send_bytes(msgspec.json.encode(_Order(str(source), options)))
            while True:
                match _replies.decode(child.connection.recv_bytes(_LONGEST_REPLY)):
                    case _Begun(step):
                        yield step
                    case _Added(name):
                        target = added_encoders() / name
                        return InstalledEncoder(name, target, read_description(target))
                    case _Refused(reason):
                        raise EncoderError(reason)
        except (EOFError, OSError, msgspec.MsgspecError) as error:
            stop.check()
            raise EncoderError(
                "Converting the encoder ended unexpectedly: its files are damaged, or memory did not suffice."
            ) from error
        finally:
            child.kill()


def main(arguments: list[str]) -> int:
    """Add the encoder that the parent orders, and report its steps."""
    del arguments
    connection = parent_connection()
    order = msgspec.json.decode(connection.recv_bytes(_LONGEST_REPLY), type=_Order)
    source = published_place(Path(order.source))
    confine_converter(str(private_folder(added_encoders())), str(source), *_linked(source))
    adding = Job(add_encoder(source, order.options, Stop()))
    try:
        for step in adding:
            connection.send_bytes(msgspec.json.encode(_Begun(step)))
        connection.send_bytes(msgspec.json.encode(_Added(adding.result.name)))
        return 0
    except (EncoderError, Stopped, MemoryError) as error:
        connection.send_bytes(msgspec.json.encode(_Refused(str(error) or "Memory did not suffice for this encoder.")))
        return 1


def _linked(folder: Path) -> Iterator[str]:
    """Yield the files that links in a folder lead to: the caches of model hubs keep the files elsewhere."""
    if folder.is_dir():
        for pattern in ("*", "*/*"):
            yield from (str(path.resolve()) for path in folder.glob(pattern) if path.is_symlink() and path.is_file())
