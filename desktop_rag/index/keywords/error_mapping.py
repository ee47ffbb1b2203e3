"""Maps the exceptions of a keyword index to `LibraryError`."""

from collections.abc import Generator
from contextlib import contextmanager

from whoosh.index import LockError

from desktop_rag.errors import LibraryBusy, LibraryError, OutOfMemory
from desktop_rag.processes.shortage import is_shortage


@contextmanager
def mapped_errors(doing: str, errors: tuple[type[Exception], ...]) -> Generator[None]:
    """Turn `errors`, and a lock that another program holds, into a `LibraryError`."""
    try:
        yield
    except LockError as error:
        raise LibraryBusy("Another program is writing the keyword index; close it and try again.") from error
    except errors as error:
        if is_shortage(error):
            raise OutOfMemory(
                f"There is not enough memory: the keyword index could not be {doing}. Close other programs."
            ) from error
        kind = type(error).__name__
        raise LibraryError(f"The keyword index could not be {doing} ({kind}: {error}); it will be rebuilt.") from error
