"""How many examples a property test generates."""

from hypothesis import settings


def examples(full: int) -> int:
    """Return the number for a test whose examples are dear: `full`, or fewer in the profile `fast`."""
    default: int = settings().max_examples
    return min(full, default) if settings.get_current_profile_name() == "fast" else full
