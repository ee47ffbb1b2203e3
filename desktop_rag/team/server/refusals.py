"""Why an OpenSearch server refused a request, as a sentence for the user."""

from desktop_rag.errors import TeamBusy, TeamConflict, TeamError, TeamMissing, TeamRefused

_WAITED_FOR = (
    "cluster_block_exception",
    "no_shard_available_action_exception",
    "node_disconnected_exception",
    "node_not_connected_exception",
    "node_closed_exception",
)
SAID = 300  # characters of a server's message that are shown


class BlockedError(TeamBusy):
    """Nodes refused to read that have no cluster manager now, or do not know yet which copy took over."""


def reason_of(error: object) -> str:
    """Return the reason in the error of an answer."""
    if not isinstance(error, dict):
        return str(error)[:SAID]
    causes = error.get("root_cause")
    cause = causes[0] if isinstance(causes, list) and causes and isinstance(causes[0], dict) else error
    return str(cause.get("reason") or error.get("reason") or error.get("type"))[:SAID]


def is_blocked(error: object) -> bool:
    """Return whether nodes refused to read for want of a cluster manager or, before it has looked, of a copy."""
    if not isinstance(error, dict) or error.get("type") != "search_phase_execution_exception":
        return isinstance(error, dict) and error.get("type") in _WAITED_FOR
    failed = error.get("failed_shards")
    reasons = [each.get("reason") for each in failed if isinstance(each, dict)] if isinstance(failed, list) else []
    return all(isinstance(reason, dict) and reason.get("type") in _WAITED_FOR for reason in reasons)


def is_full(reason: str) -> bool:
    """Return whether a server refused because disks are full: its status is that of an overload, or of no rights."""
    return any(words in reason for words in ("disk usage exceeded", "read-only", "create-index blocked"))


def refusal_of(error: object, status: str) -> TeamError:
    """Return the error for a request that a server refused with an HTTP status."""
    reason = reason_of(error)
    if is_full(reason):
        return TeamBusy(f"A disk of the team's server is full, so it refuses changes ({reason}).")
    match status:
        case "401":
            return TeamRefused("The team's server does not accept this user. Check the password, token or certificate.")
        case "403":
            return TeamRefused("This user may not do that in the team's library. Ask whoever runs it for the role.")
        case "409":
            return TeamConflict(f"Another program changed the team's library at the same moment ({reason}).")
        case "404":
            return TeamMissing("There is no such team library on the server. Check the name at the end of its address.")
        case "429" | "502" | "503" | "504":
            return TeamBusy(f"The team's server is overloaded or starting ({reason}). Try again in a moment.")
    return TeamError(f"The team's server refused a request ({status}: {reason}).")
