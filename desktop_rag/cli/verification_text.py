"""Says in a terminal how an answer is borne out, and how far a run looked that found nothing."""

from collections import Counter
from collections.abc import Iterator, Sequence

from desktop_rag.agent.events import Citation, Claim, ClaimStanding, Coverage
from desktop_rag.cli.output import shown_path
from desktop_rag.text.display import one_line, plural

READ = 5  # documents named
_WORDS: dict[ClaimStanding, str] = {
    "corrected": "cited at the wrong place",
    "unverified": "not verified",
    "uncited": "without a source",
}


def verdict_text(citation: Citation) -> str:
    """Return what the check of a citation found."""
    if citation.missing:
        return f"not found: {', '.join(map(one_line, citation.missing))} is not in these lines"
    if citation.named:
        return f"{citation.verdict}: the model named {one_line(citation.named)}"
    return citation.verdict


def claims_text(claims: Sequence[Claim]) -> str:
    """Return “7 claims, 6 verified, 1 without a source”."""
    counts = Counter(claim.standing for claim in claims)
    rest = [f"{counts[standing]} {words}" for standing, words in _WORDS.items() if counts[standing]]
    return ", ".join((plural(len(claims), "claim"), f"{counts['verified']} verified", *rest))


def coverage_lines(report: Coverage) -> Iterator[str]:
    """Yield what was searched and read, and what could not be."""
    where = "the chosen part of the library" if report.scoped else "the library"
    yield f"\nLooked through {plural(report.documents, 'document')} in {where}"
    for phrasing in report.phrasings:
        yield f"  searched ({phrasing.mode}) “{one_line(phrasing.query)}”: {plural(phrasing.found, 'passage')}"
    if not report.phrasings:
        yield "  no search was made"
    if report.unmatched:
        yield f"  in no document: {', '.join(map(one_line, report.unmatched))}"
    for document in report.read[:READ]:
        yield f"  read {plural(document.lines, 'line')} of {shown_path(document.path)}"
    if len(report.read) > READ:
        yield f"  … and of {plural(len(report.read) - READ, 'other document')}"
    yield from (f"  not seen: {gap}" for gap in unseen(report))
    for file in report.unread:
        yield f"    {shown_path(file.path)}  {one_line(file.reason)}"


def unseen(report: Coverage) -> Iterator[str]:
    """Yield what of the library nobody could look at."""
    if report.waiting:
        yield f"{plural(report.waiting, 'file')} still to be read"
    if report.by_meaning < 1:
        yield f"search by meaning covers {report.by_meaning:.0%} so far"
    if report.scans:
        yield f"{plural(report.scan_pages, 'page')} of {plural(report.scans, 'scan')} without text"
    if report.failed:
        yield f"{plural(report.failed, 'file')} that could not be read"
    if report.skipped:
        yield f"{plural(report.skipped, 'file')} left out"
    if (rest := report.partial - report.scans) > 0:
        yield f"parts of {plural(rest, 'file')}"
    for path in report.offline:
        yield f"the folder {shown_path(path)}, which is not connected (its text as last read was searched)"
