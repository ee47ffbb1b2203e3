"""The default toolkit, which combines the best of the systems, and its variant that searches by words only."""

from dataclasses import replace

from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.toolkits.coverage_first import CoverageFirst
from desktop_rag.agent.toolkits.toolkit import Toolkit
from desktop_rag.agent.tools.calculate import CalculateTool
from desktop_rag.agent.tools.compare import CompareTool
from desktop_rag.agent.tools.filtered_search import LITERAL_MODES, NarrowedSearchTool, SlimSearchTool
from desktop_rag.agent.tools.find_open import FindTool, OpenTool
from desktop_rag.agent.tools.list_documents import ListDocumentsTool
from desktop_rag.agent.tools.read_chunks import ReadChunksTool
from desktop_rag.agent.tools.summarize import SummarizeTool

WORDS_ONLY = "`search` finds only the words you write: give names and terms as the documents have them, and synonyms."


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
    return Toolkit(
        *("full", summary, tools, load_prompt("full")),
        pre_step=CoverageFirst(),
        summarizer="summarize",
        short="small",
        slim=((SlimSearchTool(),), load_prompt("slim")),
    )


def short() -> Toolkit:
    """Return the short path for every model: the program searches, the model answers from few lines."""
    return replace(
        full(),
        name="short",
        summary="The program searches, shows passages, and the model says what they say. For small models.",
        short="always",
    )


def literal() -> Toolkit:
    """Return the default toolkit with searches by words and letters only, never by meaning."""
    whole = full()
    search = NarrowedSearchTool(LITERAL_MODES)
    return replace(
        whole,
        name="literal",
        summary="Searches for the words themselves, never by meaning; then works like “full”.",
        tools=tuple(search if isinstance(tool, NarrowedSearchTool) else tool for tool in whole.tools),
        prompt=f"{whole.prompt}\n\n{WORDS_ONLY}",
        pre_step=CoverageFirst(LITERAL_MODES),
        slim=None,
    )
