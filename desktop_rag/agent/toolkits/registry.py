"""The registry of toolkits by name; a new toolkit or ablation is one more entry."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from desktop_rag.agent.toolkits import a_rag, agentic_rag, baselines, logical_rag
from desktop_rag.agent.toolkits.auto import auto, quick
from desktop_rag.agent.toolkits.full import full, literal, short
from desktop_rag.agent.toolkits.toolkit import Toolkit
from desktop_rag.errors import SettingsError
from desktop_rag.text.display import shorten

DEFAULT = "full"
ORACLE = "oracle"  # gets the gold passages of an evaluation

_MAKERS: Mapping[str, Callable[[], Toolkit]] = MappingProxyType(
    {
        DEFAULT: full,
        "auto": auto,
        "quick": quick,
        "short": short,
        "literal": literal,
        "agentic-rag": agentic_rag.agentic_rag,
        "agentic-rag-no-summarize": agentic_rag.without_summarize,
        "agentic-rag-no-semantic-find": agentic_rag.without_semantic_find,
        "agentic-rag-single-query": agentic_rag.with_single_query,
        "agentic-rag-single-shot": agentic_rag.single_shot_search,
        "a-rag": a_rag.a_rag,
        "a-rag-naive": a_rag.naive,
        "a-rag-no-keyword": a_rag.without_keyword_search,
        "a-rag-no-semantic": a_rag.without_semantic_search,
        "a-rag-no-chunk-read": a_rag.without_chunk_read,
        "logical-rag": logical_rag.logical_rag,
        "logical-rag-no-operators": logical_rag.without_operators,
        "logical-rag-syntax-only": logical_rag.syntax_only,
        "agentic-hybrid": logical_rag.agentic_hybrid,
        "single-shot": baselines.single_shot,
        "direct": baselines.direct,
        ORACLE: baselines.oracle,
    }
)


def toolkit_names() -> tuple[str, ...]:
    """Return the names of all toolkits, the default first."""
    return tuple(_MAKERS)


def askable_toolkits() -> tuple[str, ...]:
    """Return the names of the toolkits that can answer a user's question, the default first."""
    return tuple(name for name in toolkit_names() if name != ORACLE)


def counts_from(name: str) -> int:
    """Return the number of a document's first line in a toolkit; 1 for an unknown one."""
    return _MAKERS[name]().counts_from if name in _MAKERS else 1


def toolkit(name: str) -> Toolkit:
    """Return the toolkit called `name`; raises `SettingsError` that lists all names."""
    if name in _MAKERS:
        return _MAKERS[name]()
    raise SettingsError(
        f"There is no toolkit “{shorten(name)}”. Choose one of: {', '.join(askable_toolkits())}. "
        "`desktop-rag ask --toolkit help` describes each."
    )
