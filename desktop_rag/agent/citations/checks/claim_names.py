"""Names of `citations.names`."""

from desktop_rag.agent.citations.names import MONTHS, is_code, place_groups

__all__ = ["MONTHS", "is_code", "place_groups"]
