"""The log file of the window's process; questions and texts are never logged."""

import logging
import logging.handlers
import sys
import threading
from contextlib import suppress
from io import TextIOWrapper
from types import TracebackType

from desktop_rag.log_format import LogFormatter
from desktop_rag.paths import log_folder, private_folder, private_opener

logger = logging.getLogger(__name__)


def log_to_file() -> None:
    """Log to a file of bounded size, or to standard error if it cannot be written, also uncaught exceptions."""
    handler: logging.Handler = logging.StreamHandler()
    with suppress(OSError):
        file = private_folder(log_folder()) / "window.log"
        handler = _PrivateFile(file, maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(LogFormatter("%(asctime)s %(levelname)s %(name)s:%(lineno)d: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda failure: _log_uncaught(
        failure.exc_type, failure.exc_value or failure.exc_type(), failure.exc_traceback
    )


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """Writes files that only their owner may read."""

    def _open(self) -> TextIOWrapper:
        file = open(self.baseFilename, "ab", opener=private_opener)  # noqa: SIM115
        return TextIOWrapper(file, encoding=self.encoding, errors=self.errors)


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    logger.critical("uncaught", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)
