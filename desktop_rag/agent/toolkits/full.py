"""The default toolkit: the best of the systems together."""

from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.toolkits.toolkit import Toolkit
from desktop_rag.agent.tools.chunks import ReadChunksTool
from desktop_rag.agent.tools.document import FindTool, OpenTool
from desktop_rag.agent.tools.search import SearchTool


def full() -> Toolkit:
    """Return the default: search by words and meaning, find, open, read."""
    tools = (SearchTool(), FindTool(), OpenTool(), ReadChunksTool())
    return Toolkit("full", "The best of all systems together.", tools, load_prompt("full"))
