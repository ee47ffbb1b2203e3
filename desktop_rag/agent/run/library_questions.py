"""Questions about the library itself, which no document answers: how many documents there are, and which."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from desktop_rag.agent.events import BUILT_IN_MODEL
from desktop_rag.agent.extractive.answer import literal
from desktop_rag.agent.prompts import HOLDS, HOLDS_CHOSEN
from desktop_rag.agent.question import Question
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.retrieval.api import DocumentQuery, Order, Retriever, Scope
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural

LISTED = 20  # documents named in an answer

# Kinds of documents with a noun of their own: “Which mails do I have?”
_KINDS: Mapping[str, tuple[str, ...]] = {
    r"(?:e-?)?mails?": ("mail", "eml", "msg", "emlx", "mbox"),
    r"spreadsheets?|tabellen?": ("spreadsheet", "xlsx", "xls", "ods", "csv", "numbers"),
    r"presentations?|präsentation(?:en)?": ("presentation", "pptx", "ppt", "odp", "key"),
    r"pictures?|photos?|images?|bild(?:er)?|fotos?": ("picture", "jpg", "jpeg", "png", "gif", "webp", "heic", "tif"),
    r"pdfs?": ("PDF document", "pdf"),
}
_OF_KIND = "|".join(_KINDS)
_NOUN = {
    "en": rf"(?:documents?|files?|({_OF_KIND}))",
    "de": rf"(?:dokumente?|dateien|datei|({_OF_KIND}))",
}
_TAIL = {
    "en": r"(?:\s+(?:are|is|do|does|i|have|there|in|of|my|the|this|your|library|collection|it|here|all|altogether|total"
    r"|indexed|searchable|can|you|see|search))*",
    "de": r"(?:\s+(?:sind|ist|habe|hat|gibt|ich|es|in|meiner|meine|der|dieser|die|bibliothek|hier|insgesamt|du|kannst"
    r"|durchsuchbar))*",
}
_COUNT = re.compile(
    rf"(?:how many|count(?: all)?(?: the| my)?)\s+(?:(\w{{1,5}})\s+)?{_NOUN['en']}{_TAIL['en']}"
    rf"|wie ?viele\s+(?:(\w{{1,5}})[\s-])?{_NOUN['de']}{_TAIL['de']}"
    r"|(?:我的?)?(?:文?库|资料库)?(?:里|中)?(?:一共|总共)?有?多少(?:个|份)?(?:文档|文件)",
    re.IGNORECASE,
)
_WHICH = re.compile(
    rf"(?:which|what|list|show(?: me)?)(?: all)?(?: the| my)*\s+(?:(\w{{1,5}})\s+)?{_NOUN['en']}{_TAIL['en']}"
    rf"|(?:welche|liste|zeige?)(?: alle| mir)*\s+(?:(\w{{1,5}})[\s-])?{_NOUN['de']}{_TAIL['de']}(?: auf)?",
    re.IGNORECASE,
)
_TYPES = {"word": "docx", "excel": "xlsx", "text": "txt"}
_KNOWN = {*_TYPES.values(), "pdf", "pptx", "odt", "md", "csv", "eml", "jpg", "html", "epub"}  # none is an answer too


def about_library(question: Question, run: Run) -> str:
    """Return the answer to a question about the library as a whole, else ""; models know it from their instructions."""
    asked = library_question(question.text) if run.model.name == BUILT_IN_MODEL else None
    if asked is None or not run.toolkit.needs_library:
        return ""
    return answer_about_library(asked, run.retriever, question.scope, question.filters, run.stop)


@dataclass(frozen=True, slots=True)
class LibraryQuestion:
    """A question for the number of documents, of some types (file extensions) or all; `listed`: also their names."""

    extensions: tuple[str, ...]
    listed: bool
    noun: str = "document"


def library_question(text: str) -> LibraryQuestion | None:
    """Return what a question asks about the library as a whole, None if it asks about the contents of documents."""
    asked = " ".join(text.split()).rstrip(" ?.!？。")
    for pattern, listed in ((_COUNT, False), (_WHICH, True)):
        if found := pattern.fullmatch(asked):
            words = [word.lower() for word in found.groups() if word]
            for word in words:
                for nouns, (noun, *extensions) in _KINDS.items():
                    if re.fullmatch(nouns, word):
                        return LibraryQuestion(tuple(extensions), listed, noun) if words == [word] else None
            kinds = tuple(_TYPES.get(word, word) for word in words)
            return LibraryQuestion(kinds, listed, f"{kinds[0].upper()} document" if kinds else "document")
    return None


def answer_about_library(
    question: LibraryQuestion, retriever: Retriever, scope: Scope, filters: tuple[Filter, ...], stop: Stop
) -> str:
    """Return the answer, "" if the type is none that the program knows; raises as `Retriever.documents`."""
    own = tuple(Filter(FileField.EXT, extension) for extension in question.extensions)
    query = DocumentQuery(scope=scope, filters=(*filters, *own), order=Order.NEWEST, limit=LISTED)
    found = retriever.documents(query, stop)
    if not found.total and _KNOWN.isdisjoint(question.extensions or _KNOWN):
        return ""
    chosen = scope.is_chosen or filters
    count = plural(found.total, question.noun)
    lines = [(HOLDS_CHOSEN if chosen else HOLDS).format(count)]
    if question.listed:
        names = (card.path.name if card.path else card.title for card in found.cards)
        lines += ["", *(f"- {literal(name)}" for name in names)]
        if found.total > LISTED:
            lines.append("- …")
    return "\n".join(lines)
