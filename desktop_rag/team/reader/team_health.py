"""What is wrong with a team's library now, looked at now and then: its copies, its disks, its writers."""

import logging
import time
from collections.abc import Callable, Iterable, Mapping

from desktop_rag.errors import TeamBusy, TeamError, TeamMissing, TeamNotSecure, TeamRefused, TeamUnreachable
from desktop_rag.index.server_trouble import ServerTrouble
from desktop_rag.stop import Stop
from desktop_rag.team.format.team_indexes import KINDS, LATER
from desktop_rag.team.reader.team_records import Shared
from desktop_rag.team.server.json_answers import Json, as_dict, as_int

logger = logging.getLogger(__name__)

STALLED_SECONDS = 15 * 60
_BLOCK = "index.blocks.read_only_allow_delete"  # set by the server at its flood stage
_IF_THERE = "ignore_unavailable=true"  # of indexes in `LATER`

_STATES = (TeamBusy, TeamMissing, TeamNotSecure, TeamRefused, TeamUnreachable)  # not of one query

Troubles = Mapping[ServerTrouble, str]  # with their sentences
Tell = Callable[[Iterable[str]], None]


class TeamHealth:
    """Looks at the state of one library and passes its sentences to `tell`, for the window.

    A role that may not ask for the state of the server is told of parts that did not answer and of its writers alone.
    """

    def __init__(self, shared: Shared, tell: Tell = lambda _: None) -> None:
        self._shared = shared
        self._tell = tell
        self._refused: set[str] = set()

    def troubles(self, stop: Stop) -> Troubles:
        """Return what is wrong; the last search has set `incomplete` of the connection if a part did not answer."""
        state = self._shared.seldom("health", lambda: self._looked(stop))
        found = dict(state) if isinstance(state, dict) else {}
        if self._shared.connection.incomplete:
            found[ServerTrouble.INCOMPLETE] = ServerTrouble.INCOMPLETE.sentence()
        ordered = {each: found[each] for each in ServerTrouble if each in found}
        self._tell(ordered.values())
        return ordered

    def note_failure(self, error: TeamError) -> None:
        """Pass on why a search failed, if that is the state of the server: what was told before no longer holds."""
        if isinstance(error, _STATES):
            self._tell((str(error),))

    def _looked(self, stop: Stop) -> Troubles:
        connection, found = self._shared.connection, dict[ServerTrouble, str]()
        later = [kind for kind in LATER if self._answer(f"/{connection.alias(kind)}/_mapping?{_IF_THERE}", stop)]
        indexes = ",".join(connection.alias(kind) for kind in KINDS if kind in later or kind not in LATER)
        match self._answer(f"/_cluster/health/{indexes}?local=true", stop).get("status"):
            case "red":
                found[ServerTrouble.INCOMPLETE] = ServerTrouble.INCOMPLETE.sentence()
            case "yellow":
                found[ServerTrouble.COPY_MISSING] = ServerTrouble.COPY_MISSING.sentence()
        blocks = self._answer(f"/{indexes}/_settings/{_BLOCK}?local=true&flat_settings=true", stop)
        if any(as_dict(as_dict(each).get("settings")).get(_BLOCK) == "true" for each in blocks.values()):
            found[ServerTrouble.DISK_FULL] = ServerTrouble.DISK_FULL.sentence()
        oldest = min((as_int(entry.get("at")) for entry in self._shared.sources(stop)), default=0)
        if oldest and time.time() - oldest > STALLED_SECONDS:
            found[ServerTrouble.NOT_CURRENT] = ServerTrouble.NOT_CURRENT.sentence(oldest)
        return found

    def _answer(self, path: str, stop: Stop) -> Json:
        """Return an answer, an empty one if there is none: the search was answered, so this is no reason to fail."""
        if path not in self._refused:
            try:
                return self._shared.connection.ask("GET", path, stop=stop, tries=1)
            except TeamRefused:  # the role does not allow it
                self._refused.add(path)
            except TeamError as error:
                logger.info("the state of the team's server is not known: %s", error)
        return {}
