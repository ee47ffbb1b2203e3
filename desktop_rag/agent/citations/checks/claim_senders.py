"""Compares who wrote to whom in a claim with the sender and the recipients of a cited mail."""

import re
from collections.abc import Iterator

from desktop_rag.agent.citations.claim_words import split_words
from desktop_rag.agent.events import ClaimFault

_NAME = r"[^\W\d_a-z][\w'’.-]+(?: [^\W\d_a-z][\w'’.-]+){0,3}"
_WROTE = re.compile(
    rf"(?P<sender>{_NAME}) (?:has |had |hat |a )?(?:wrote|written|sent|mailed|e-?mailed|replied|answered|told|"
    rf"informed|schrieb|schickte|sandte|écrit|envoyé|escribió|envió)\b"
    rf"[^.;\n]{{0,60}}?(?:\b(?:to|an|à|a)\b )?(?P<receiver>{_NAME})"
)
_AUTHOR = re.compile(
    rf"\b(?:[Aa]ccording to|[Ll]aut|[Ss]elon|[Ss]egún) (?:the e?-?mail (?:of|by|from) )?(?P<told>{_NAME})|"
    rf"(?P<owner>{_NAME}?)(?:['’]s) (?:e-?mail|mail|message|letter|reply)\b|"
    rf"(?P<writer>{_NAME}) (?:wrote|writes|schrieb|schreibt|escribió) (?:that|dass|que)\b"
)
_HEADER = re.compile(r"^(?P<field>From|To|Cc): (?P<names>.+)$", re.MULTILINE)


def other_sender(claim: str, lines: str) -> Iterator[ClaimFault]:
    """Yield the sender of a claim who is a recipient of the cited mail; `lines` hold its header, too.

    To have sent it to somebody else is wrong only if the recipient of the claim is the sender.
    """
    fields: dict[str, set[str]] = {"From": set(), "To": set(), "Cc": set()}
    for match in _HEADER.finditer(lines):
        fields[match["field"]] |= _words(match["names"])
    received = fields["To"] | fields["Cc"]
    for match in _WROTE.finditer(claim) if fields["From"] and received else ():
        sender, receiver = _words(match["sender"]), _words(match["receiver"])
        if sender <= received - fields["From"] and receiver & fields["From"]:
            yield ClaimFault("name", match["sender"])
            return
    named = _words(_HEADER.sub("", lines)) if fields["From"] and received else set()
    for match in _AUTHOR.finditer(claim) if fields["From"] and received else ():
        author = re.sub(r"['’]s$", "", next(filter(None, match.groups())))
        if (words := _words(author)) and words <= received - fields["From"] and not words & named:
            yield ClaimFault("name", author)
            return


def _words(text: str) -> set[str]:
    return {word.fold for word in split_words(text) if "@" not in word.text}
