"""Loads the instructions a toolkit gives the model; they lie as Markdown in the resources."""

from desktop_rag.errors import SettingsError
from desktop_rag.paths import resources

ANSWER_NOW = (
    "Do not call any more tools. Answer the question now from what you have read, with citations. "
    "If it does not hold the answer, begin with [not found]."
)
NOTHING_SAID = "Your message was empty. Call a tool, or answer the question."

LOOP_MESSAGES = frozenset((ANSWER_NOW, NOTHING_SAID))


def load_prompt(name: str) -> str:
    """Return the instructions called `name`; raises `SettingsError` if the installation lacks them."""
    path = resources() / "prompts" / f"{name}.md"
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise SettingsError(f"The instructions {path.name} are missing from this installation ({error}).") from error
