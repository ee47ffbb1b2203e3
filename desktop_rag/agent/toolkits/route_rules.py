"""Routes a question by rules, in a few languages; in doubt it chooses the thorough route."""

import re
from dataclasses import dataclass
from datetime import date

from desktop_rag.agent.events import Route
from desktop_rag.agent.small_talk import is_small_talk
from desktop_rag.retrieval.api import Filter
from desktop_rag.retrieval.query.date_ranges import period
from desktop_rag.retrieval.query.tree import FileField

MAX_QUICK_WORDS = 14  # words of a question for the quick route

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|‘[^’]*’|(?<!\w)'[^']*'(?!\w)")
_WORDS: tuple[tuple[str, str], ...] = (  # why a question needs several steps, and the words that show it
    (
        "It compares",
        r"compar(?:e[ds]?|ison|ing)|versus|vs\.?|differ(?:s|ence|ences|ent)?|better|cheaper|changed?|changes"
        r"|vergleich\w*|unterschied\w*|geändert|besser|différen\w+|diferencia\w*|differenz\w*|confront\w+",
    ),
    (
        "It asks for a whole list or a summary",
        r"list|all|every|each|summar\w+|overview|outline|alle[rsn]?|jede[rsnm]?|liste|zusammenfass\w*|fasse?|überblick"
        r"|tous|toutes|chaque|résum\w+|todos|todas|resum\w+|tutti|tutte|riassum\w+",
    ),
    (
        "It asks for reasons or advice",
        r"why|how (?:do|does|did|can|should|could)|explain|recommend\w*|should|plan|need|warum|weshalb|wieso|erkläre?"
        r"|sollte[nst]*|brauche|pourquoi|expli\w+|por qué|perché|perche",
    ),
    (
        "It has several parts",
        r"and (?:who|what|when|where|which|how|why|did|does|is|was|were)|who .{3,60} (?:who|that|which)"
        r"|und (?:wer|was|wann|wo|welche\w*|wie|warum)|as well as|sowohl|et (?:qui|que|quand|où|comment)",
    ),
    ("It needs a calculation", r"total|sum|average|per ?cent\w*|calculate|insgesamt|summe|durchschnitt\w*|berechne\w*"),
)
_STEPS = tuple((why, re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)) for why, words in _WORDS)
_TYPES = "pdf docx doc xlsx xls pptx ppt odt ods md txt html csv epub eml msg py"
_KINDS = {"word": "docx", "excel": "xlsx", "powerpoint": "pptx", "markdown": "md", "spreadsheets": "xlsx"}
_TYPE = re.compile(
    rf"\b(?:in|from|only|aus|dans|en)\s+(?:the\s+|my\s+|den\s+|les\s+)?({'|'.join((*_TYPES.split(), *_KINDS))})s?\b"
    rf"(?:[ -]?(?:files?|documents?|dateien?|fichiers?))?(?=\s|[?.,!]|$)",
    re.IGNORECASE,
)
_FOLDER = re.compile(
    r"\b(?:in|from|aus|dans)\s+(?:the\s+|my\s+|dem\s+|le\s+)?(?:folder|ordner|dossier)\s+"
    r"[\"“„«]?([\w .-]{1,60}?)[\"”“»]?(?=[?.,!]|\s+(?:is|are|was|what|who|how)\b|$)",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:changed|modified|edited|saved|geändert|bearbeitet)\s+(?:in\s+|on\s+|since\s+)?"
    r"(today|yesterday|(?:this|last) (?:week|month|quarter|year)|\d{4}(?:-\d{2}){0,2})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RouteGuess:
    """The route of a question, the reason, the query, and the filters it states."""

    route: Route
    why: str
    query: str
    filters: tuple[Filter, ...] = ()


def route_by_rules(question: str) -> RouteGuess:
    """Route a question by its words."""
    text = " ".join(question.split())
    if not any(letter.isalnum() for letter in text) or is_small_talk(text):
        return RouteGuess("off-topic", "It asks nothing about documents.", text)
    query, filters = _split_filters(text)
    asked = _QUOTED.sub(" ", query)
    if why := next((why for why, words in _STEPS if words.search(asked)), ""):
        return RouteGuess("agentic", f"{why}.", query, filters)
    if asked.count("?") > 1:
        return RouteGuess("agentic", "It asks several questions.", query, filters)
    if len(query.split()) > MAX_QUICK_WORDS:
        return RouteGuess("agentic", "It is a long question.", query, filters)
    return RouteGuess("quick", "It is a short question about one thing.", query, filters)


def _split_filters(text: str) -> tuple[str, tuple[Filter, ...]]:
    """Split a question into the query and the file filters it states."""
    filters: list[Filter] = []
    query = text
    for pattern, field in ((_TYPE, FileField.EXT), (_FOLDER, FileField.FOLDER), (_CHANGED, FileField.MODIFIED)):
        found = pattern.search(query)
        if not found:
            continue
        value = found[1].strip().lower() if field is not FileField.FOLDER else found[1].strip()
        if field is FileField.MODIFIED and period(value, date.today()) is None:
            continue
        filters.append(Filter(field, _KINDS.get(value, value)))
        query = f"{query[: found.start()]} {query[found.end() :]}"
    query = re.sub(r"\s+([?.!,])", r"\1", " ".join(query.split()))
    return query if any(letter.isalnum() for letter in query) else text, tuple(filters)
