"""The key of a server, what is printed of it and its address, and why it cannot listen there."""

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.cli.output import Output
from desktop_rag.errors import SettingsError
from desktop_rag.processes.loopback import key_fault


@dataclass(frozen=True, slots=True)
class ServingKey:
    """A key; `variable` of the environment replaces it, and it is not printed then: the user knows it."""

    variable: str
    made: str

    @property
    def key(self) -> str:
        """Return the key to use."""
        return os.environ.get(self.variable) or self.made

    def is_usable(self, output: Output) -> bool:
        """Return whether the key can be used, and print why not."""
        fault = key_fault(self.key, self.variable)
        if fault:
            output.error("This key cannot be used", fault)
        return not fault

    def print_address(self, library: Path, address: str, output: Output) -> None:
        """Print where a library is served, and the key if it was made here."""
        shown = "" if os.environ.get(self.variable) else self.made
        if output.as_json:
            output.value({"type": "serving", "address": address, "key": shown})
            return
        output.note(f"Serving {library} at {address}", "")
        if shown:
            output.note(f"Key: {shown}", "")


@contextmanager
def port_told(port: int) -> Generator[None]:
    """Say of a port that cannot be listened on in the block why, and what to do."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        why = "in use by another program" if error.errno == errno.EADDRINUSE else "not allowed"
        raise SettingsError(f"Port {port} is {why}. Choose another one, or 0 for any that is free.") from error
