"""The names of the toolkits in the window: plain methods first, the systems of the papers under “Research”."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication


@dataclass(frozen=True, slots=True)
class AnswerMethod:
    """A toolkit by its id, with its name in the window and one line about it."""

    toolkit: str
    name: str
    line: str


def plain_methods() -> tuple[AnswerMethod, ...]:
    """Return the methods for everyday use, the default first."""
    return (
        AnswerMethod("full", _tr("Thorough"), _tr("Searches, reads and checks in several steps")),
        AnswerMethod("quick", _tr("Quick"), _tr("One search, one answer")),
        AnswerMethod("auto", _tr("Automatic"), _tr("Quick for simple questions, several steps for others")),
        AnswerMethod("literal", _tr("Literal"), _tr("Finds the words themselves, nothing by meaning")),
        AnswerMethod("direct", _tr("Direct"), _tr("From the model's memory, without your documents")),
    )


def research_methods(active: str = "") -> tuple[AnswerMethod, ...]:
    """Return the systems of the papers; `active` is added if no other method has this toolkit."""
    known = (
        AnswerMethod("agentic-rag", "AgenticRAG", _tr("Searches, then finds and opens inside the documents")),
        AnswerMethod("a-rag", "A-RAG", _tr("Words or meaning, then whole passages, one tool at a time")),
        AnswerMethod("logical-rag", "LogicalRAG", _tr("Plans first, then searches with AND, OR and NOT")),
        AnswerMethod("agentic-hybrid", "Agentic Hybrid", _tr("Plans first, then searches in plain language")),
        AnswerMethod("single-shot", _tr("Naive RAG"), _tr("The five nearest passages, one answer")),
    )
    names = {method.toolkit for method in (*plain_methods(), *known)}
    more = (AnswerMethod(active, active, _tr("A variant for comparisons")),) if active and active not in names else ()
    return (*known, *more)


def method_name(toolkit: str) -> str:
    """Return the name of a toolkit in the window; an unknown id unchanged."""
    methods = (*plain_methods(), *research_methods())
    return next((method.name for method in methods if method.toolkit == toolkit), toolkit)


def _tr(text: str) -> str:
    return QCoreApplication.translate("AnswerMethods", text)
