"""Finds what a claim makes of a refusal, a plan, the past and an exception.

“Refused to” for “offered to”, “took place” for “was planned”, “is used” for “was once used”, “without exception” for
“except on the balcony”.
"""

import re
from collections.abc import Iterator

from desktop_rag.agent.citations.check_words import CONDITIONS, EXCEPTIONS, word_set
from desktop_rag.agent.citations.check_words import words as word_list
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import ClaimWord, is_content, is_negation, split_words, stems_of

_MOST = re.compile(r"\b(?:most|least|first|last|[^\W\d_]{3,}est)\b", re.IGNORECASE)
_SAVE = re.compile(
    r"\b(?:aside from|except(?:ing)?(?: for)?|apart from|other than|save for|with the exception of|"
    r"abgesehen von|außer)\b",
    re.I,
)
_RANKED = re.compile(
    r"\b(?:second|third|fourth|fifth|\d+(?:st|nd|rd|th)|one of the|among the)[ -]"
    r"(?P<most>most|least|[^\W\d_]{3,}est)\b",
    re.I,
)
MIN_SHARED = 0.5  # of the content words of a claim in the sentence that excepts something
_REFUSED, _MEANT = word_list("refused"), word_list("meant")
_BE = word_set("is are")
_ONCE = re.compile(
    r"\b(?:was|were|had been)\s+(?:once|formerly|previously|originally|at one time)\b|\bused to\b|"
    r"\b(?:once|formerly|previously|originally)\s+(?:was|were)\b|\b(?:war|wurde)\w*\s+(?:früher|einst|ehemals)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:today|now|nowadays|currently|still|at present|heute|jetzt|noch immer|derzeit)\b", re.IGNORECASE
)
_EXCEPT = re.compile(
    r"\b(?:except(?:ing)?(?: for)?|unless|save for|other than|apart from|with the exception of|exempt|außer|"
    r"es sei denn|ausgenommen|sauf|à moins que|salvo|excepto|a menos que)\b(?P<names>[^.;:\n]*)",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:without (?:any )?exceptions?|no exceptions?|under (?:no|any|all) circumstances|in (?:all|any|every) cases?|"
    r"never|always|everywhere|ohne ausnahme|ausnahmslos|niemals|nie|immer|überall|sans exception|jamais|toujours|"
    r"sin excepci[oó]n(?:es)?|nunca|siempre)\b",
    re.IGNORECASE,
)
_INCLUDING = re.compile(
    r"\b(?:including|also|even|einschließlich|auch|y compris|même|incluid[oa]s?|incluso)\b", re.IGNORECASE
)
_HAPPENED = re.compile(
    r"\b(?:took place|taken place|underwent|undergone|(?:was|were|been) (?:carried out|performed|held))\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:(?:was|were|been) (?:planned|scheduled|cancelled|canceled|called off|postponed)|"
    r"(?:was|were) to (?:be|have))\b",
    re.IGNORECASE,
)


def exception_dropped(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “the lowest” of a claim where the sentence says “the lowest apart from” or “the second lowest”."""
    claim, sentence = statement.text, evidence.nearest
    if _SAVE.search(claim) or _RANKED.search(claim):
        return
    ranked = {match["most"].casefold(): match[0] for match in _RANKED.finditer(sentence)}
    for word in _MOST.finditer(claim):
        most = word[0].casefold()
        if most in ranked:
            yield ClaimFault("extent", word[0], ranked[most])
            return
        at = re.search(rf"\b{most}\b", sentence, re.IGNORECASE)
        save = _SAVE.search(sentence, at.end()) if at else None
        if save and not re.search(r"[;.]\s", sentence[at.end() : save.start()] if at else ""):
            yield ClaimFault("extent", word[0], save[0])
            return


def not_happened(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield what a claim makes of a refusal, the past or an exception.

    `sentence` is the one of the `lines` that is most like the claim.
    """
    claim, sentence, lines = statement.text, evidence.nearest, evidence.lines
    yield from _other_intent(claim, lines)
    yield from _only_planned(claim, lines)
    yield from _over(claim, sentence)
    yield from _without_exception(claim, sentence)


def _other_intent(claim: str, lines: str) -> Iterator[ClaimFault]:
    """Yield “refused to” of a claim whose lines say “offered to” of the same verb, and the other way round."""
    theirs = {verb: word for word, verb in _intents(lines)}
    for word, verb in _intents(claim):
        other = theirs.get(verb)
        if other is not None and (word.fold in _REFUSED) != (other.fold in _REFUSED):
            yield ClaimFault("direction", word.text, other.text)
            return


def _only_planned(claim: str, lines: str) -> Iterator[ClaimFault]:
    """Yield “took place” of a claim whose lines say of the same event “was planned”, and of none that it happened."""
    happened = _HAPPENED.search(claim)
    if not happened or _PLANNED.search(claim) or _HAPPENED.search(lines) or any(map(is_negation, split_words(claim))):
        return
    for planned in _PLANNED.finditer(lines):
        before = [word for word in split_words(lines[: planned.start()]) if is_content(word)][-1:]
        if before and before[0].stem in stems_of(claim):
            yield ClaimFault("extent", happened[0], planned[0])
            return


def _intents(text: str) -> Iterator[tuple[ClaimWord, str]]:
    """Yield each word like “offered” with the verb after its “to”."""
    words = split_words(text)
    for at, word in enumerate(words[:-2]):
        if word.fold in _REFUSED | _MEANT and words[at + 1].fold == "to":
            yield word, words[at + 2].stem


def _over(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield “is used” and “today” of a claim where the sentence says “was once used”."""
    once = _ONCE.search(sentence)
    if once is None or _ONCE.search(claim) or _NOW.search(sentence):
        return
    written = [word.stem for word in split_words(sentence) if is_content(word)]
    verbs = [word.stem for word in split_words(sentence[once.end() :]) if is_content(word)][:1]
    verbs = [verb for verb in verbs if written.count(verb) == 1]
    words = split_words(claim)
    at = next((at for at, word in enumerate(words) if at and word.stem in verbs), 0)
    if not at or any(map(is_negation, words)):
        return
    if now := _NOW.search(claim):
        yield ClaimFault("extent", now[0], once[0])
    elif words[at - 1].fold in _BE:
        yield ClaimFault("extent", words[at - 1].text, once[0])


def _without_exception(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield “never” and “without exception” of a claim, and what it includes, where the sentence excepts something."""
    excepted = _EXCEPT.search(sentence)
    words = split_words(_ALL.sub("", claim))
    if excepted is None or _EXCEPT.search(claim) or any(word.fold in CONDITIONS | EXCEPTIONS for word in words):
        return
    content = [word for word in words if is_content(word)]
    held = stems_of(sentence)
    if not content or sum(word.stem in held for word in content) < MIN_SHARED * len(content):
        return
    if (every := _ALL.search(claim)) and not _ALL.search(sentence):
        yield ClaimFault("extent", every[0], excepted[0])
        return
    if included := _INCLUDING.search(claim):
        names = stems_of(excepted["names"])
        after = [word for word in split_words(claim[included.end() :]) if is_content(word)]
        if after and after[0].stem in names and not _denies_otherwise(claim, sentence):
            yield ClaimFault("extent", claim[included.start() : included.end()], excepted[0])


def _denies_otherwise(claim: str, sentence: str) -> bool:
    """Return whether a claim says the opposite of the rule: “smoking is allowed also on the balcony”."""
    rule = stems_of(_EXCEPT.split(sentence)[0])
    return not any(word.stem in rule for word in split_words(claim)[1:] if is_content(word))
