from collections.abc import Iterator

class ArchiveEntry:
    pathname: str | None
    size: int | None
    isfile: bool
    issym: bool
    islnk: bool
    def get_blocks(self, block_size: int = ...) -> Iterator[bytes]: ...
