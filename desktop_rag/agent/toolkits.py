"""Names the sets of tools and instructions a run can be given; an ablation is one more entry here."""

from dataclasses import dataclass

from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.tools.chunks import ReadChunksTool
from desktop_rag.agent.tools.document import FindTool, OpenTool
from desktop_rag.agent.tools.search import SearchTool
from desktop_rag.agent.tools.tool import Tool
from desktop_rag.errors import SettingsError
from desktop_rag.llm.chat import ToolSpec

DEFAULT = "full"


@dataclass(frozen=True, slots=True)
class Toolkit:
    """What a run works with; its limits bind together with the person's, whichever is smaller."""

    name: str
    tools: tuple[Tool, ...]
    prompt: str
    steps: int = 1_000
    result_tokens: int = 11_000  # AgenticRAG, section 3.3
    result_share: float = 0.3  # of the context that is still free

    def tool(self, name: str) -> Tool | None:
        """Return the tool called `name`, if this toolkit has it."""
        return next((tool for tool in self.tools if tool.spec.name == name), None)

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the descriptions offered to the model."""
        return tuple(tool.spec for tool in self.tools)


def toolkit_names() -> tuple[str, ...]:
    """Return the names a person can choose from, the default first."""
    return (DEFAULT,)


def toolkit(name: str) -> Toolkit:
    """Return the toolkit called `name`; raises `SettingsError` with the names there are."""
    if name == DEFAULT:
        return Toolkit(DEFAULT, (SearchTool(), FindTool(), OpenTool(), ReadChunksTool()), load_prompt(DEFAULT))
    raise SettingsError(f"There is no toolkit “{name}”. Choose one of: {', '.join(toolkit_names())}.")
