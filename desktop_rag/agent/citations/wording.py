"""The English sentences about verdicts, claims and faults: command line, repair request and window use the same ones.

The window passes `translate`, which returns the template in the user's language.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from desktop_rag.agent.events import Citation, Claim, ClaimFault, ClaimStanding
from desktop_rag.text.display import one_line, plural, shorten
from desktop_rag.text.normalize import fold_quote

MAX_QUOTE = 80  # characters of a quotation inside a sentence
# Standings of claims that the cited lines support.
SUPPORTED: tuple[ClaimStanding, ...] = ("supported", "computed", "relocated")

Translate = Callable[[str], str]


def _english(template: str) -> str:
    return template


def describe_verdict(citation: Citation, translate: Translate = _english) -> str:
    """Return a sentence that says where the quoted words of a citation stand."""
    match citation.verdict:
        case "verbatim":
            return translate("The quoted words stand here.")
        case "paraphrase":
            return translate("Not word for word: these lines come closest.")
        case "misattributed" if citation.named:
            place = one_line(citation.named)
            return translate("The words stand here; the model named {place}.").format(place=place)
        case "misattributed":
            return translate("The words stand here, not where the model said.")
        case "not found" if fold_quote(citation.quote) in fold_quote(citation.passage):
            return translate("Nothing that was read says this.")
        case "not found":
            return translate("The quoted words stand nowhere in what was read.")


def describe_claim(claim: Claim, translate: Translate = _english) -> str:
    """Return a sentence that says what was checked of a claim, or what its cited lines lack."""
    match claim.standing:
        case "supported":
            return translate("Supported: names and figures agree with the cited lines.")
        case "computed":
            places = " ".join(f"[{number}]" for number in sorted({operand.citation for operand in claim.operands}))
            places = places or translate("cited figures")
            return translate("Supported: computed from {places}, {sum}.").format(
                places=places, sum=one_line(claim.computed)
            )
        case "relocated":
            return translate("Supported, but at other lines than the model named.")
        case "unsupported":
            why = "; ".join(describe_faults(claim.faults, translate)) or translate("nothing that was read says this")
            return translate("Not supported: {why}.").format(why=why)
        case "uncited":
            return translate("The model names no source in your documents for this.")


def describe_faults(faults: Iterable[ClaimFault], translate: Translate = _english) -> tuple[str, ...]:
    """Return what the cited lines lack or contradict, one clause for each fault."""
    return tuple(dict.fromkeys(_describe_fault(fault, translate) for fault in faults))


def _describe_fault(fault: ClaimFault, translate: Translate) -> str:
    text, found = shorten(one_line(fault.text), MAX_QUOTE), shorten(one_line(fault.found), MAX_QUOTE)
    if found:
        return translate("the lines say “{found}”, not “{text}”").format(found=found, text=text)
    match fault.kind:
        case "quote":
            template = translate("“{text}” stands nowhere in what was read")
        case "name":
            template = translate("no cited line mentions {text}")
        case "figure":
            template = translate("no cited line says {text}")
        case "negation" | "direction" | "extent":
            template = translate("the lines do not say “{text}”")
        case "wording":
            template = translate("the cited lines do not say this")
    return template.format(text=text)


def count_claims(
    claims: Sequence[Claim],
    total: str = "",
    number: Callable[[int], str] = "{:,}".format,
    translate: Translate = _english,
) -> str:
    """Return “6 statements: 5 supported, 1 not”; `total` is the translated “6 statements”, `number` formats counts."""
    if not claims:
        return ""
    counts = Counter("supported" if claim.standing in SUPPORTED else claim.standing for claim in claims)
    failed = translate("{n} not") if counts["supported"] else translate("{n} not supported")
    templates = (
        (counts["supported"], translate("{n} supported")),
        (counts["unsupported"], failed),
        (counts["uncited"], translate("{n} without a source")),
    )
    parts = (template.format(n=number(count)) for count, template in templates if count)
    return f"{total or plural(len(claims), 'statement')}: {', '.join(parts)}"
