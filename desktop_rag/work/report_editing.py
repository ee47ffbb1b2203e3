"""The text of a section as the user edits it: Markdown with `[n]` for its citations, whose marks are found anew.

What stands there word for word keeps its mark. Of other words only the facts are told: the lines that they cite are
stored with the section, no document is read and no model is asked.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.citations.claim_facts import ClaimFacts, find_facts
from desktop_rag.agent.citations.claims import find_claims
from desktop_rag.agent.citations.support import CitedLines
from desktop_rag.agent.events import Answered, Citation, Claim
from desktop_rag.stop import Stop
from desktop_rag.work.report import Section

_NUMBER = re.compile(r"(?<!\\)\[(\d{1,4})\](?!\()")


def editable(text: str) -> str:
    """Return Markdown with `[n]` for its citations."""
    return LINK.sub(r"[\1]", text)


def edited(section: Section, text: str, stop: Stop) -> Section:
    """Return a section with another text; numbers in brackets that are citations of it stay citations."""
    before = section.answered
    if before is None:
        return section
    cited = {each.number: each for each in before.citations}

    def link(found: re.Match[str]) -> str:
        return f"[{found[1]}](cite:{found[1]})" if int(found[1]) in cited else found[0]

    written = _NUMBER.sub(link, text.strip())

    def check(statement: str, numbers: Sequence[int]) -> ClaimFacts:
        return find_facts(statement, [_lines(cited[each]) for each in numbers if each in cited], numbers)

    marked = {_words(before.text, claim): claim for claim in before.claims}
    claims: list[Claim] = []
    for claim in find_claims(written, before.citations, check, stop):
        known = marked.get(_words(written, claim))
        if known is not None:
            claims.append(replace(known, start=claim.start, end=claim.end))
        elif written[claim.start : claim.end] not in before.text:  # else it was none: a note of the program, a title
            claims.append(claim)
    used = tuple(each for each in before.citations if f"(cite:{each.number})" in written)
    answered: Answered = replace(before, text=written, citations=used, claims=tuple(claims))
    return replace(section, answered=answered, edited=True, disagreements=())


def _words(text: str, claim: Claim) -> tuple[str, tuple[int, ...]]:
    return LINK.sub("", text[claim.start : claim.end]).strip(), claim.citations


def _lines(citation: Citation) -> CitedLines:
    passage = dict(enumerate(citation.passage.split("\n"), citation.passage_first_line))
    lines = {at: line for at, line in passage.items() if citation.first_line <= at <= citation.last_line}
    above = tuple(filter(None, (citation.title, citation.section, citation.columns)))
    return CitedLines(lines, above, citation.passage)
