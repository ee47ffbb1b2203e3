from collections.abc import Iterable
from contextlib import AbstractContextManager

from libarchive.entry import ArchiveEntry as ArchiveEntry

class ArchiveError(Exception): ...

def memory_reader(buf: bytes, format_name: str = ...) -> AbstractContextManager[Iterable[ArchiveEntry]]: ...
