"""What can be wrong with a team's library, and how that is said."""

from datetime import datetime
from enum import StrEnum


class ServerTrouble(StrEnum):
    """What is wrong with a team's library now; told with each result."""

    INCOMPLETE = "incomplete"  # a part of it did not answer
    COPY_MISSING = "copy_missing"  # as when a node is away
    DISK_FULL = "disk_full"  # it takes no changes
    NOT_CURRENT = "not_current"  # its writer stands still

    def sentence(self, since: int = 0) -> str:
        """Return what the user should know; `since` is when the writer was there last, in seconds."""
        match self:
            case ServerTrouble.INCOMPLETE:
                return "A part of the team's library did not answer, so passages may be missing. Try again in a moment."
            case ServerTrouble.COPY_MISSING:
                return (
                    "A copy of the team's library is missing, as when one of its servers is away; what is found is "
                    "complete."
                )
            case ServerTrouble.DISK_FULL:
                return "A disk of the team's server is full, so it takes no changes; newer ones are missing."
            case ServerTrouble.NOT_CURRENT:
                when = datetime.fromtimestamp(since).strftime("%Y-%m-%d %H:%M")
                return f"The team's library was last brought up to date at {when}; newer changes may be missing."
