"""Names of `citations.statement_words`."""

from desktop_rag.agent.citations.statement_words import StatementWord as ClaimWord
from desktop_rag.agent.citations.statement_words import is_ordinary, split_words

__all__ = ["ClaimWord", "is_ordinary", "split_words"]
