"""The exceptions of the program; every message is a sentence the user can act on.

DesktopRagError
├── SettingsError          a settings file or value cannot be used
├── CredentialError        the keychain failed
├── ProcessError           a child process or its connection failed
├── LibraryError           the library cannot be opened, read or written
│   ├── LibraryBusy        another program holds its lock and does not answer
│   ├── OutOfMemory        the computer is short of memory or open files; nothing is wrong with it
│   ├── LibraryMissing     its folder is missing, for example on a disconnected disk
│   ├── LibraryRefused     the command is impossible or not proven safe; nothing was changed
│   ├── LibraryDamaged     its catalog does not pass SQLite's own check
│   └── TeamError          the server of a team library does not answer, or refuses
│       ├── TeamUnreachable  no server of it answers
│       ├── TeamMisconfigured  its address, a mount or a certificate file cannot be used; nothing was sent
│       ├── TeamBusy       it is overloaded, or a disk of it is full
│       ├── TeamRefused    it does not accept the user, or what the user asked for
│       ├── TeamNotSecure  it gives no secure connection, or its certificate is not known here
│       ├── TeamConflict   another program has written the same
│       └── TeamMissing    it has no such library
├── DocumentError          one file cannot be turned into text (the message is the reason shown)
├── ConversationError      the stored conversations cannot be opened or changed
├── ExportError            a conversation cannot be written to a file or printed
├── BookmarkError          the bookmarks and notes cannot be opened or changed
├── WorkError              the tables and reports cannot be opened or changed
│   └── WorkBusy           another program fills this table or writes this report
├── UpdateError            nothing is known about newer versions
├── EncoderError           the sentence encoder is missing or broken
├── BenchError             a benchmark cannot be run
├── LinkError              a desktop-rag:// link cannot be followed
├── QueryError             a query is invalid; has the position and a suggestion
├── ArgumentTypeError          a Python program passed a value of the wrong type; also a `TypeError`
├── ModelError             the language model's endpoint failed
│   ├── LocalModelError    a model file cannot be run on this computer
│   ├── ModelUnreachable   no connection, a timeout, a wrong address
│   ├── ModelRefused       the key or the account was not accepted
│   ├── ModelMissing       the endpoint does not know this model
│   ├── ModelBusy          rate limit or overload; has the seconds to wait
│   ├── ServerFailed       the endpoint answered with a failure of its own
│   ├── ContextOverflow    the request does not fit the model's window
│   │   └── PromptTruncated  the endpoint read only the end of the request
│   ├── ToolsRefused       the model or its server does not take tools
│   ├── SendingRefused     the user's rules on privacy do not allow the request
│   ├── StreamCut          the answer was cut off; the received part is kept
│   └── SpendingDeclined   a request would pass the user's limit on money
└── Stopped                the user pressed Stop
"""

from enum import StrEnum


class ProblemKind(StrEnum):
    """Why a file is not, or only partly, searchable: what is of one kind has the same remedy. The values are stored."""

    PROTECTED = "protected"
    DAMAGED = "damaged"
    SCANS = "scans"
    ACCESS = "access"
    CRASHED = "crashed"
    INTERRUPTED = "interrupted"
    LIMIT = "limit"
    EMPTY = "empty"
    TOO_LARGE = "too large"
    TYPE = "type"
    OTHER = "other"


class DesktopRagError(Exception):
    """Base class; `title` is a headline, `str(error)` says what happened and what to do."""

    title = "Something went wrong"


class SettingsError(DesktopRagError):
    """A settings file or value cannot be used."""

    title = "These settings cannot be used"


class CredentialError(DesktopRagError):
    """The keychain failed."""

    title = "The keychain did not answer"


class ProcessError(DesktopRagError):
    """A child process or its connection failed."""

    title = "A background process failed"


class LibraryError(DesktopRagError):
    """The library cannot be opened, read or written."""

    title = "The library cannot be used"


class LibraryBusy(LibraryError):
    """Another program holds the lock of the library and does not answer."""

    title = "The library is in use"


class OutOfMemory(LibraryError):
    """The computer is short of memory or open files; nothing is wrong with the library."""

    title = "There is not enough memory"


class LibraryMissing(LibraryError):
    """The library was created before and is missing now."""

    title = "The library is missing"


class LibraryRefused(LibraryError):
    """The command is impossible or not proven safe; nothing was changed."""

    title = "This cannot be done"


class LibraryDamaged(LibraryError):
    """The catalog does not pass SQLite's own check."""

    title = "The library is damaged"


class TeamError(LibraryError):
    """The server of a team library does not answer, or refuses."""

    title = "The team's library cannot be reached"


class TeamUnreachable(TeamError):
    """No server of a team library answers."""


class TeamMisconfigured(TeamError):
    """An address, a mount or a certificate file cannot be used; nothing was sent."""

    title = "These settings of a team's library cannot be used"


class TeamBusy(TeamError):
    """The server is overloaded, or a disk of it is full: the same request may succeed later."""


class TeamRefused(TeamError):
    """The server does not accept the user, or not what it asked for: no repetition helps."""

    title = "The team's library refuses this user"


class TeamNotSecure(TeamError):
    """No TLS connection to the server comes about: it speaks none, or its certificate is not trusted."""


class TeamConflict(TeamError):
    """Another program has written the same document meanwhile."""


class TeamMissing(TeamError):
    """The server has no such library."""

    title = "There is no such team library"


class DocumentError(DesktopRagError):
    """One file cannot be turned into text; the message is the reason shown beside it, in the group of its kind."""

    title = "This file cannot be read"

    def __init__(self, message: str, kind: ProblemKind = ProblemKind.OTHER) -> None:
        super().__init__(message)
        self.kind = kind


class ConversationError(DesktopRagError):
    """The stored conversations cannot be opened or changed."""

    title = "The conversations cannot be kept"


class ExportError(DesktopRagError):
    """A conversation, a table or a report cannot be written to a file or printed."""

    title = "Nothing was exported"


class BookmarkError(DesktopRagError):
    """The bookmarks and notes cannot be opened or changed."""

    title = "The bookmarks cannot be kept"


class WorkError(DesktopRagError):
    """The tables and reports cannot be opened or changed."""

    title = "The tables cannot be kept"


class WorkBusy(WorkError):
    """Another program fills this table or writes this report."""

    title = "Another program works on this"


class UpdateError(DesktopRagError):
    """Nothing is known about newer versions, for the reason `trouble` (an `UpdateTrouble`) with `detail`."""

    title = "The check for updates failed"

    def __init__(self, trouble: str, detail: str = "") -> None:
        super().__init__(f"{trouble}: {detail}" if detail else trouble)
        self.trouble = trouble
        self.detail = detail


class EncoderError(DesktopRagError):
    """The sentence encoder is missing or broken."""

    title = "Search by meaning is not available"


class BenchError(DesktopRagError):
    """A benchmark cannot be run."""

    title = "This benchmark cannot be run"


class LinkError(DesktopRagError):
    """A `desktop-rag://` link cannot be followed."""

    title = "This link cannot be followed"


class QueryError(DesktopRagError):
    """A query is invalid; `position` counts characters from 0."""

    title = "This query cannot be understood"

    def __init__(self, message: str, position: int = 0, suggestion: str = "") -> None:
        super().__init__(message)
        self.position = position
        self.suggestion = suggestion


class ArgumentTypeError(DesktopRagError, TypeError):
    """A Python program passed a value of the wrong type."""

    title = "This call is wrong"


class ModelError(DesktopRagError):
    """The language model's endpoint failed; `unsent` if there was no connection to it."""

    title = "The model did not answer"
    unsent = False

    def __init__(self, message: str, title: str = "") -> None:
        super().__init__(message)
        self.title = title or type(self).title


class LocalModelError(ModelError):
    """A model file cannot be run on this computer."""

    title = "This model cannot run on this computer"


class ModelUnreachable(ModelError):
    """No connection, a timeout, a wrong address."""

    title = "The model cannot be reached"


class ModelRefused(ModelError):
    """The key or the account was not accepted."""

    title = "The key was refused"


class ModelMissing(ModelError):
    """There is no such model."""

    title = "There is no such model"


class ModelBusy(ModelError):
    """The model is overloaded, or asked to wait `retry_after` seconds."""

    title = "The model is busy"

    def __init__(self, message: str, retry_after: float = 0.0, title: str = "") -> None:
        super().__init__(message, title)
        self.retry_after = retry_after


class ServerFailed(ModelError):
    """The endpoint answered with a failure of its own (HTTP 5xx)."""

    title = "The model reports a failure"


class ContextOverflow(ModelError):
    """The request does not fit the model's window."""

    title = "The conversation does not fit the model"


class PromptTruncated(ContextOverflow):
    """The endpoint dropped the beginning of the request and read only `tokens` of it."""

    title = "The model cut off the beginning"

    def __init__(self, message: str, tokens: int = 0) -> None:
        super().__init__(message)
        self.tokens = tokens


class ToolsRefused(ModelError):
    """The model or its server does not take tools; without them it may still answer."""

    title = "This model cannot use tools"


class SendingRefused(ModelError):
    """The user's rules on privacy do not allow a request; nothing was sent."""

    title = "Nothing was sent"


class StreamCut(ModelError):
    """The answer was cut off; the received part is kept."""

    title = "The connection was cut"


class SpendingDeclined(ModelError):
    """A request would pass the user's limit on money."""

    title = "Your limit on money is reached"


class Stopped(DesktopRagError):
    """The user pressed Stop."""

    title = "Stopped"

    def __init__(self) -> None:
        super().__init__("Stopped.")
