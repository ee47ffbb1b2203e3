"""The default toolkit, which combines the best of the systems."""

from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.toolkits.coverage_first import CoverageFirst
from desktop_rag.agent.toolkits.toolkit import Toolkit
from desktop_rag.agent.tools.calculate import CalculateTool
from desktop_rag.agent.tools.compare import CompareTool
from desktop_rag.agent.tools.filtered_search import NarrowedSearchTool
from desktop_rag.agent.tools.find_open import FindTool, OpenTool
from desktop_rag.agent.tools.list_documents import ListDocumentsTool
from desktop_rag.agent.tools.read_chunks import ReadChunksTool
from desktop_rag.agent.tools.summarize import SummarizeTool


def full() -> Toolkit:
    """Return the default: list, search, find, open, read, compare, calculate, summarise."""
    tools = (
        ListDocumentsTool(),
        NarrowedSearchTool(),
        FindTool(),
        OpenTool(),
        ReadChunksTool(),
        CompareTool(),
        CalculateTool(),
        SummarizeTool(),
    )
    summary = "The best of all systems together: finds the right documents, reads them and proves what it says."
    return Toolkit("full", summary, tools, load_prompt("full"), pre_step=CoverageFirst(), summarizer="summarize")
