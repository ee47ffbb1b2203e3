"""Why a server gave no answer, in words for the user."""

import errno
import socket


def silence_of(error: BaseException | None) -> str:
    """Return why there was no answer, by the first of an error and its causes that tells."""
    while error is not None:
        match error:
            case ConnectionRefusedError():
                return "it refused the connection"
            case TimeoutError():
                return "it gave no answer in time"
            case socket.gaierror():
                return "no address is known for its name"
            case ConnectionError():
                return "it ended the connection"
            case OSError(errno=errno.ENETUNREACH | errno.EHOSTUNREACH):
                return "no network leads to it"
        error = error.__cause__ or error.__context__
    return "it gave no answer"
