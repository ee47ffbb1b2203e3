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
_HEADER = re.compile(r"^(?P<field>From|To|Cc): (?P<names>.+)$", re.MULTILINE)


def other_sender(claim: str, lines: str) -> Iterator[ClaimFault]:
    """Yield the sender of a claim who is the recipient of the cited mail, if its recipient is the sender."""
    fields: dict[str, set[str]] = {"From": set(), "To": set(), "Cc": set()}
    for match in _HEADER.finditer(lines):
        fields[match["field"]] |= _words(match["names"])
    received = fields["To"] | fields["Cc"]
    for match in _WROTE.finditer(claim) if fields["From"] and received else ():
        sender, receiver = _words(match["sender"]), _words(match["receiver"])
        if sender <= received - fields["From"] and receiver & fields["From"]:
            yield ClaimFault("name", match["sender"])
            return


def _words(text: str) -> set[str]:
    return {word.fold for word in split_words(text) if "@" not in word.text}
