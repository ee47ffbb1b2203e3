"""Finds a claim whose subject is another one than that of its lines: what they say of B, said of A.

A is someone or a company that only the question names, or what another document is called: “the lease”, cited from the
employment contract. So is a name from a list of those absent, given to the question who was present, a name put
together from two, and the silvery herb over a line about the common one.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from desktop_rag.agent.citations.check_words import (
    FUNCTION_WORDS,
    word_set,
)
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.checks.claim_names import MONTHS
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import (
    ClaimWord,
    is_ordinary,
    split_words,
    stems_of,
)
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold, stem

_PRONOUNS = word_set("he she him her his hers they them their er sie ihn ihr ihm seine seiner elle il lui leur ella")
_SELVES = _PRONOUNS | word_set("i we us our my you your ich wir uns unser unsere mein nous notre je vous nosotros yo")
_DETERMINERS = word_set(
    "the this that our your my their its der die das den dem des im am zum zur vom beim unser unsere unserem unseres "
    "dieser dieses diesem diese le la les du au ce cet cette notre el los las del al este esta nuestro nuestra"
)
_ARTICLES = word_set("a an ein eine un une una")
_GERMAN_ARTICLES = word_set("der die das den dem des ein eine einen einem einer eines im am zum zur vom beim")
_HEAD_END = re.compile(
    r"[,;:(\[|–—]|\s-\s|\b(?:of|for|from|to|between|with|by|at|in|on|and|von|vom|für|zwischen|mit|bei|im|und|zum|zur|über|"
    r"de|du|des|pour|entre|avec|et|del|para|con|y)\b"
)
_ENDS = re.compile(r"[’']|\s*[,.;:)–—]")  # a noun: what follows is no part of a compound
_MARKER = re.compile(r"^\s*(?:[-*+•>]|\d{1,3}[.)])\s+")
_NAME = r"[^\W\d_a-z][\w'’.-]+(?: [^\W\d_a-z][\w'’.-]+){0,3}"
_TELLS = (
    r"(?:wrote|writes|says|said|states|stated|reports|reported|announces|announced|asks|asked|proposes|proposed|suggests|"
    r"suggested|confirms|confirmed|mentions|mentioned|warns|warned|schrieb|schreibt|sagt|sagte|fragt|fragte|berichtet|"
    r"escribió|dijo|écrit|demande)"
)
_PARTY = rf"(?:[\w.+-]+@[\w.-]*\w|{_NAME})"
_MAILED = (  # who sent it, and to whom
    re.compile(
        rf"(?P<sender>{_PARTY}) (?:has |had |hat |a )?(?:wrote|written|sent|mailed|e-?mailed|replied|answered|told|"
        rf"informed|schrieb|schickte|sandte|écrit|envoyé|escribió|envió)\b"
        rf"[^.;\n]{{0,60}}?(?:\b(?:to|an|à|a)\b )?(?P<receiver>{_PARTY})"
    ),
    re.compile(
        rf"(?P<receiver>{_PARTY}) (?:has |had |hat |a )?(?:received|got|erhielt|bekam|reçu|recibió)\b[^.;\n]{{0,60}}?"
        rf"\b(?:from|von|de)\b (?P<sender>{_PARTY})"
    ),
    re.compile(
        rf"\b(?:from|by|von|de) (?P<sender>{_PARTY}) (?:was |is )?(?:sent )?(?:to|an|à|a) (?P<receiver>{_PARTY})"
    ),
)
_AUTHOR = re.compile(
    rf"\b(?:[Aa]ccording to|[Ll]aut|[Ss]elon|[Ss]egún) (?:the e?-?mail (?:of|by|from) )?(?P<told>{_NAME})|"
    rf"(?P<owner>{_NAME}?)(?:['’]s) (?:e-?mail|mail|message|letter|reply)\b|"
    rf"^(?P<writer>{_NAME}) (?:{_TELLS})\b"
)
_AS_YOU = re.compile(  # “as you asked”: the mail tells what its recipient said
    r"\b(?:as|what|that|like) you\b|\byou (?:\w+ed|said|wrote|say|write|told)\b|\b(?:wie|was|dass) (?:Sie|du)\b|"
    r"\b(?:your|Ihr\w*|deine?|votre) (?:question|e?-?mail|message|letter|request|suggestion|proposal|idea|offer|Frage|"
    r"Nachricht|Brief|Anfrage|Vorschlag|Idee|lettre)\b",
    re.IGNORECASE,
)
_HEADER = re.compile(r"^(?P<field>From|To|Cc): (?P<names>.+)$", re.MULTILINE)
_BOTH = re.compile(
    r"\b(?:both|beide|beiden|les deux|ambos|ambas) (?:the |of the |der )?(?P<thing>[^\W\d_]{4,})", re.IGNORECASE
)
_SEVERAL = re.compile(r"\b(?:both|two|beide\w*|zwei|deux|ambos|ambas|dos)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DocumentNames:
    """The names by which a document is known, its title and its file's, and the text of it that was read."""

    names: tuple[str, ...]
    read: Callable[[], str]


def other_document(
    claim: str, question: str, lines: str, cited: Sequence[DocumentNames], others: Sequence[str]
) -> Iterator[ClaimFault]:
    """Yield the subjects of a claim whose cited documents are about something else.

    That is a proper name that only the question has, or a thing after which one of the `others`, documents found but
    not cited, is called. Silent if the claim also names what its documents are called, if they write the word anywhere
    in what was read, or if the `lines` say “we” or “she”: other lines say who that is.
    """
    words = split_words(claim)
    called = frozenset(word.stem for each in cited for name in each.names for word in _telling(name))
    spoken = (*_only_asked(words, question, cited), *_things(claim, others))
    if not spoken or any(word.fold in _SELVES for word in split_words(lines)):
        return
    written = frozenset[str]().union(called, stems_of(lines), *(stems_of(each.read()) for each in cited))
    said = frozenset(word.stem for word in words)
    missing = [word for word, head in spoken if word.stem not in written and called.isdisjoint(said.difference(head))]
    if missing:
        last = next((word for word, after in pairwise(missing) if claim[word.end : after.start] != " "), missing[-1])
        yield ClaimFault("name", claim[missing[0].start : last.end])


def both_documents(claim: str, lines: str, cited: Sequence[DocumentNames]) -> Iterator[ClaimFault]:
    """Yield “both leases” of a claim that cites one document, a lease by its name, whose lines are of no other."""
    said = _BOTH.search(claim)
    if said and len(cited) == 1 and not _SEVERAL.search(lines):
        thing = stem(fold(said["thing"]))
        if thing in stems_of(" ".join(cited[0].names)) and said["thing"].casefold() not in lines.casefold():
            yield ClaimFault("extent", said[0])


_Spoken = tuple[ClaimWord, tuple[str, ...]]  # a word, and the stems of what it is a word of


def _only_asked(words: Sequence[ClaimWord], question: str, cited: Sequence[DocumentNames]) -> Iterator[_Spoken]:
    """Yield the proper names of a claim that the question has, if the documents cited are called by a proper name.

    What an article stands before (“die Monatsmiete”) is no name: in German every noun is capital.
    """
    if any(_is_proper(word) for each in cited for name in each.names for word in _telling(name)):
        asked = {word.fold for word in split_words(question)}
        before = ("", *(word.fold for word in words))
        named = (word for word, article in zip(words, before, strict=False) if article not in _GERMAN_ARTICLES)
        yield from ((word, (word.stem,)) for word in named if word.fold in asked and _is_proper(word))


def _is_proper(word: ClaimWord) -> bool:
    is_name = word.is_capital and word.fold.isalpha() and len(word.fold) > 2 and not is_ordinary(word)
    return is_name and word.fold not in STOP_WORDS | FUNCTION_WORDS and word.fold not in MONTHS


def _things(claim: str, others: Sequence[str]) -> Iterator[_Spoken]:
    """Yield the nouns after an article that begin the name of another document: “of the lease” for Lease of a mill."""
    words = split_words(claim)
    heads = {head[0]: head for name in others if (head := _head(name))}
    for at, word in enumerate(words[1:], 1):
        head = heads.get(word.stem, ())
        if head and words[at - 1].fold in _DETERMINERS:
            follows = next((each for each in words[at + 1 :] if each.stem not in head), None)
            if follows is None or follows.fold in STOP_WORDS | FUNCTION_WORDS or _ENDS.match(claim, word.end):
                yield word, head


@lru_cache(maxsize=1 << 10)
def _telling(name: str) -> tuple[ClaimWord, ...]:
    """Return the words of a title or file name without its extension, numbers and small words."""
    words = split_words(re.sub(r"\.\w{1,5}$|_", " ", name))
    return tuple(word for word in words if len(word.fold) > 2 and word.fold not in STOP_WORDS and word.fold.isalpha())


@lru_cache(maxsize=1 << 10)
def _head(name: str) -> tuple[str, ...]:
    """Return the stems of what a document is called first: “Lease agreement” of Lease agreement for the boathouse."""
    return tuple(word.stem for word in _telling(_HEAD_END.split(name)[0]))


def other_sender(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the sender of a claim who is a recipient of the cited mail; `lines` hold its header, too.

    To have sent it to somebody else is wrong only if the recipient of the claim is the sender.
    """
    claim, lines = statement.text, evidence.table
    fields: dict[str, set[str]] = {"From": set(), "To": set(), "Cc": set()}
    for match in _HEADER.finditer(lines):
        fields[match["field"]] |= _folds(match["names"])
    received = fields["To"] | fields["Cc"]
    for match in (match for each in _MAILED for match in each.finditer(claim)) if fields["From"] and received else ():
        sender, receiver = _folds(match["sender"]), _folds(match["receiver"])
        if _is_only(sender, received, fields["From"]) and _is_only(receiver, fields["From"], received):
            yield ClaimFault("name", match["sender"].rstrip("."))
            return
    named = _folds(_HEADER.sub("", lines)) if fields["From"] and received else set()
    for match in _AUTHOR.finditer(claim) if fields["From"] and received else ():
        author = re.sub(r"['’]s$", "", next(filter(None, match.groups())))
        if match["writer"] and _AS_YOU.search(evidence.lines):
            return
        if (words := _folds(author)) and words <= received - fields["From"] and not words & named:
            yield ClaimFault("name", author)
            return


def _is_only(name: set[str], own: set[str], others: set[str]) -> bool:
    """Return whether a name is that of one side: John of John and Jane Doe."""
    return bool(name & own - others) and not name & others - own


def _folds(text: str) -> set[str]:
    """Return the words of names and of what stands before the @ of addresses: jane.doe@example.org."""
    return {word.fold for part in re.split(r"[.+_-](?=[^\s@]*@)|@[\w.-]+", text) for word in split_words(part)}
