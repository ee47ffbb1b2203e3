"""The English sentences about verdicts, claims and faults: command line, repair request and window use the same ones.

The window passes `translate`, which returns the template in the user's language.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from desktop_rag.agent.events import Citation, Claim, ClaimFault, ClaimStanding, Verdict
from desktop_rag.text.display import one_line, plural, shorten
from desktop_rag.text.normalize import fold_quote

MAX_QUOTE = 80  # characters of a quotation inside a sentence
# Standings of claims that the cited lines support.
SUPPORTED: tuple[ClaimStanding, ...] = ("supported", "computed", "relocated")

Translate = Callable[[str], str]
Grade = Verdict | ClaimStanding


def _english(template: str) -> str:
    return template


def describe_verdict(citation: Citation, translate: Translate = _english) -> str:
    """Return a sentence that says where the quoted words of a citation stand."""
    match citation.verdict:
        case "verbatim":
            return translate("The document has these words.")
        case "paraphrase":
            return translate("Not word for word: these lines come closest.")
        case "misattributed" if citation.named:
            place = one_line(citation.named)
            return translate("The words are here; the model named {place}.").format(place=place)
        case "misattributed":
            return translate("The words are here, not where the model said.")
        case "not found" if _stands_there(citation):
            return translate("Nothing that was read says this.")
        case "not found":
            return translate("The quoted words are nowhere in what was read.")


def settle_verdicts(citations: Iterable[Citation], claims: Sequence[Claim]) -> tuple[Citation, ...]:
    """Return the citations with their verdicts after the check of the claims: no source of a sum “says nothing”."""
    return tuple(replace(each, verdict=_settled_verdict(each, claims)) for each in citations)


def grade_source(citation: Citation, claims: Sequence[Claim]) -> Grade:
    """Return “unsupported” if statements cite a source and it supports none of them, else its verdict."""
    standings = {claim.standing for claim in claims if citation.number in claim.citations}
    fails = "unsupported" in standings and standings.isdisjoint(SUPPORTED)
    return "unsupported" if fails else _settled_verdict(citation, claims)


def describe_source(citation: Citation, claims: Sequence[Claim], translate: Translate = _english) -> str:
    """Return the verdict on a citation, and what the check of the statements that cite it found."""
    made = [claim for claim in claims if citation.number in claim.citations]
    held = [describe_claim(claim, translate) for claim in made if claim.standing in SUPPORTED]
    other = translate("Another statement that cites it is not supported: {why}.")
    failed = [
        other.format(why=_reasons(claim, translate)) if held else describe_claim(claim, translate)
        for claim in made
        if claim.standing == "unsupported"
    ]
    [settled] = settle_verdicts((citation,), made)
    return " ".join(dict.fromkeys((describe_verdict(settled, translate), *held[:1], *failed)))


def _settled_verdict(citation: Citation, claims: Sequence[Claim]) -> Verdict:
    """Return “paraphrase” for “not found” if the quoted words stand there and support a statement."""
    supports = any(claim.standing in SUPPORTED and citation.number in claim.citations for claim in claims)
    mistaken = citation.verdict == "not found" and supports and _stands_there(citation)
    return "paraphrase" if mistaken else citation.verdict


def _stands_there(citation: Citation) -> bool:
    return fold_quote(citation.quote) in fold_quote(citation.passage)


def describe_claim(claim: Claim, translate: Translate = _english) -> str:
    """Return a sentence that says what was checked of a claim, or what its cited lines lack."""
    match claim.standing:
        case "supported" | "relocated" if claim.judgment:
            words = shorten(one_line(claim.judgment.words), MAX_QUOTE)
            if claim.judgment.decided:
                template = translate("The model, asked again, reads this in the cited lines: “{words}”.")
            else:
                template = translate(
                    "The names and figures are in the lines; the model, asked again, reads it there, too: “{words}”."
                )
            return template.format(words=words)
        case "supported" if claim.quoted:
            return translate("The document has these words.")
        case "supported":
            return translate("The names and figures are in the cited passage; check that it says the same.")
        case "computed":
            places = " ".join(f"[{number}]" for number in sorted({operand.citation for operand in claim.operands}))
            places = places or translate("cited figures")
            return translate("Computed from {places}: {sum}.").format(places=places, sum=one_line(claim.computed))
        case "relocated":
            return translate("The names and figures are in other lines than those cited; check that they say the same.")
        case "unsupported":
            return translate("Not supported: {why}.").format(why=_reasons(claim, translate))
        case "uncited" if claim.faults:
            return " ".join(describe_faults(claim.faults, translate))
        case "uncited":
            return translate("The model names no source in your documents for this.")


def _reasons(claim: Claim, translate: Translate) -> str:
    if claim.judgment and claim.judgment.words:
        words = shorten(one_line(claim.judgment.words), MAX_QUOTE)
        return translate("the model, asked again, reads there “{words}”").format(words=words)
    if claim.judgment:
        return translate("the model, asked again, does not find it in the cited lines")
    return "; ".join(describe_faults(claim.faults, translate)) or translate("nothing that was read says this")


def describe_faults(faults: Iterable[ClaimFault], translate: Translate = _english) -> tuple[str, ...]:
    """Return what the cited lines lack or contradict, one clause for each fault."""
    return tuple(dict.fromkeys(_describe_fault(fault, translate) for fault in faults))


def _describe_fault(fault: ClaimFault, translate: Translate) -> str:
    text, found = shorten(one_line(fault.text), MAX_QUOTE), shorten(one_line(fault.found), MAX_QUOTE)
    if found:
        return translate("the lines say “{found}”, not “{text}”").format(found=found, text=text)
    if fault.elsewhere:
        return translate("the lines have “{text}” in another connection").format(text=text)
    match fault.kind:
        case "quote":
            template = translate("“{text}” stands nowhere in what was read")
        case "name":
            template = translate("no cited line mentions {text}")
        case "figure" if text[:1].isalpha() and text[-1:].isdigit():  # a code, a month
            template = translate("no cited line mentions {text}")
        case "figure":
            template = translate("no cited line has the figure {text}")
        case "negation" | "direction" | "extent":
            template = translate("the lines do not say “{text}”")
        case "wording":
            template = translate("the cited lines do not say this")
        case "source" if text:
            template = translate("It cites {text}, where nothing was read.")
        case "source":
            template = translate("It cites a file or line that your library does not have.")
    return template.format(text=text)


def count_claims(
    claims: Sequence[Claim],
    total: str = "",
    number: Callable[[int], str] = "{:,}".format,
    translate: Translate = _english,
) -> str:
    """Return “6 statements: 5 supported in names and figures, 1 not”.

    `total` is the translated “6 statements”, `number` formats counts.
    Quotations alone support nothing but themselves: “3 quotations, word for word”.
    """
    if not claims:
        return ""
    if all(claim.quoted for claim in claims):
        one, many = translate("1 quotation, word for word"), translate("{n} quotations, word for word")
        return one if len(claims) == 1 else many.format(n=number(len(claims)))
    counts = Counter(_counted(claim) for claim in claims)
    failed = translate("{n} not") if counts["supported"] + counts["second look"] else translate("{n} not supported")
    templates = (
        (counts["supported"], translate("{n} supported in names and figures")),
        (counts["second look"], translate("{n} by the model's second look")),
        (counts["unsupported"], failed),
        (counts["uncited"], translate("{n} without a source")),
    )
    parts = (template.format(n=number(count)) for count, template in templates if count)
    return f"{total or plural(len(claims), 'statement')}: {', '.join(parts)}"


def _counted(claim: Claim) -> str:
    """Return the standing under which a claim is counted: only once as supported, by what supports it."""
    if claim.standing not in SUPPORTED:
        return claim.standing
    return "second look" if claim.judgment and claim.judgment.decided else "supported"
