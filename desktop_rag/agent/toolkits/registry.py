"""Names the toolkits there are; an ablation is one more entry here."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from desktop_rag.agent.toolkits.full import full
from desktop_rag.agent.toolkits.toolkit import Toolkit
from desktop_rag.errors import SettingsError

DEFAULT = "full"

_MAKERS: Mapping[str, Callable[[], Toolkit]] = MappingProxyType({DEFAULT: full})


def toolkit_names() -> tuple[str, ...]:
    """Return the names a person can choose from, the default first."""
    return tuple(_MAKERS)


def counts_from(name: str) -> int:
    """Return the number a toolkit gives a document's first line; 1 for one that is gone."""
    return _MAKERS[name]().counts_from if name in _MAKERS else 1


def toolkit(name: str) -> Toolkit:
    """Return the toolkit called `name`; raises `SettingsError` with the names there are."""
    if name in _MAKERS:
        return _MAKERS[name]()
    raise SettingsError(f"There is no toolkit “{name}”. Choose one of: {', '.join(toolkit_names())}.")
