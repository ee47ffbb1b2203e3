"""The marks of statements: which one follows from what is known, and the English sentences about them.

Command line, JSON, repair request and window use the same sentences; the window passes `translate`, which returns the
template in the user's language. A mark says only what was checked.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_rag.agent.events import Alteration, Citation, Claim, Judgment, Mark, Verdict
from desktop_rag.text.display import one_line, plural, shorten
from desktop_rag.text.normalize import fold_quote

MAX_QUOTE = 160  # characters of a quotation inside a sentence
MAX_MISSING = 5  # names and figures that a sentence lists
# Marks of statements that the model, or words of the lines, refuse: they are clear to see, and repaired.
REFUSED: tuple[Mark, ...] = ("otherwise", "silent", "altered")
UNFOUNDED: tuple[Mark, ...] = (*REFUSED, "uncited")

Translate = Callable[[str], str]
Grade = Verdict | Mark


def _english(template: str) -> str:
    return template


def mark_of(
    *,
    cited: bool,
    quoted: bool,
    altered: Alteration | None,
    computed: bool,
    missing: bool,
    judgment: Judgment | None,
) -> Mark:
    """Return the mark that follows from what is known of a statement.

    The model's judgment outvotes all but a quotation that stands nowhere, and silence about a computed figure.
    """
    if not cited:
        return "computed" if computed else "uncited"
    if altered and not altered.found:
        return "altered"
    if quoted:
        return "quoted"
    if judgment and judgment.says == "contradicts":
        return "otherwise"
    if judgment and judgment.says == "says":
        return "read"
    if altered:
        return "altered"
    if computed:
        return "computed"
    if judgment:
        return "silent"
    return "missing" if missing else "unchecked"


def with_judgment(claim: Claim, judgment: Judgment) -> Claim:
    """Return a claim with the model's judgment of it and the mark that follows."""
    if claim.mark in ("quoted", "uncited", "earlier"):
        return claim
    mark = mark_of(
        cited=bool(claim.citations),
        quoted=False,
        altered=claim.altered,
        computed=bool(claim.computed),
        missing=bool(claim.missing),
        judgment=judgment,
    )
    return replace(claim, mark=mark, judgment=judgment)


def describe_verdict(citation: Citation, translate: Translate = _english) -> str:
    """Return a sentence that says where the quoted words of a citation stand."""
    match citation.verdict:
        case "verbatim":
            return translate("The document has these words.")
        case "paraphrase" | "not found" if stands_there(citation):  # a sentence of the lines, chosen here
            return translate("The lines are cited, no words of them.")
        case "paraphrase":
            return translate("Not word for word in these lines.")
        case "misattributed" if citation.named:
            place = one_line(citation.named)
            return translate("The words are here; the model named {place}.").format(place=place)
        case "misattributed":
            return translate("The words are here, not where the model said.")
        case "not found":
            return translate("The quoted words are nowhere in what was read.")


def grade_source(citation: Citation, claims: Sequence[Claim]) -> Grade:
    """Return the mark of the first statement that cites a source if all are refused, else the source's verdict."""
    marks = [claim.mark for claim in claims if citation.number in claim.citations]
    return marks[0] if marks and all(mark in REFUSED for mark in marks) else citation.verdict


def describe_source(citation: Citation, claims: Sequence[Claim], translate: Translate = _english) -> str:
    """Return the verdict on a citation, and what is known of the statements that cite it.

    Where a statement stands in its lines, the verdict on the quoted words says nothing more, or seems to deny it.
    """
    made = [claim for claim in claims if citation.number in claim.citations]
    refused = [describe_claim(claim, translate) for claim in made if claim.mark in REFUSED]
    other = [describe_claim(claim, translate) for claim in made if claim.mark not in REFUSED]
    says = [describe_claim(claim, translate) for claim in made if claim.mark == "quoted"]
    stands = says and citation.verdict in ("verbatim", "paraphrase")
    verdict = "" if stands else describe_verdict(citation, translate)
    return " ".join(dict.fromkeys(filter(None, (verdict, *(says or other)[:1], *refused))))


def stands_there(citation: Citation) -> bool:
    """Return whether the quoted words of a citation stand in its passage."""
    return fold_quote(citation.quote) in fold_quote(citation.passage)


def describe_claim(claim: Claim, translate: Translate = _english) -> str:
    """Return sentences that say what is known of a claim."""
    told = [_describe_mark(claim, translate)]
    if claim.missing and claim.mark in ("read", "otherwise", "silent", "altered", "computed"):
        told.append(_describe_missing(claim.missing, translate))
    if claim.computed and claim.mark != "computed":
        told.append(_describe_sum(claim, translate))
    return " ".join(told)


def _describe_mark(claim: Claim, translate: Translate) -> str:
    match claim.mark:
        case "quoted":
            return translate("Quoted word for word from the cited lines.")
        case "read":
            return translate("Read by the model: “{words}”.").format(words=_words(claim))
        case "otherwise":
            return translate("The model reads otherwise: “{words}”.").format(words=_words(claim))
        case "silent":
            return translate("The model does not find this in the cited lines.")
        case "altered":
            return _describe_alteration(claim.altered or Alteration(""), translate)
        case "computed":
            return _describe_sum(claim, translate)
        case "missing":
            return _describe_missing(claim.missing, translate)
        case "unchecked":
            return translate("Cited, not checked: read the lines.")
        case "uncited":
            return _describe_want(claim, translate)
        case "earlier":
            return translate("Checked by an earlier version; ask again to have it checked anew.")


def _words(claim: Claim) -> str:
    return shorten(one_line(claim.judgment.words), MAX_QUOTE) if claim.judgment else ""


def _describe_alteration(altered: Alteration, translate: Translate) -> str:
    text, found = shorten(one_line(altered.text), MAX_QUOTE), shorten(one_line(altered.found), MAX_QUOTE)
    if found:
        return translate("The lines seem to say otherwise: “{found}”, not “{text}”.").format(found=found, text=text)
    return translate("“{text}” stands nowhere in what was read.").format(text=text)


def _describe_sum(claim: Claim, translate: Translate) -> str:
    places = " ".join(f"[{number}]" for number in sorted({operand.citation for operand in claim.operands}))
    told = one_line(claim.computed)
    if not places:
        return translate("Computed here: {sum}.").format(sum=told)
    return translate("Computed here: {sum}, from {places}.").format(sum=told, places=places)


def _describe_want(claim: Claim, translate: Translate) -> str:
    """Return why a claim has no source."""
    if claim.nowhere:
        return translate("It cites {text}, where nothing was read.").format(text=one_line(claim.nowhere))
    if claim.nowhere is not None:
        return translate("It cites a file or line that your library does not have.")
    return translate("The model names no source in your documents for this.")


def _describe_missing(missing: Sequence[str], translate: Translate) -> str:
    quoted = translate("“{0}”")
    listed = translate(", ").join(quoted.format(shorten(one_line(text), MAX_QUOTE)) for text in missing[:MAX_MISSING])
    one, many = (
        translate("{text} is not written in the cited lines."),
        translate("{text} are not written in the cited lines."),
    )
    return (one if len(missing) == 1 else many).format(text=listed)


def count_claims(
    claims: Sequence[Claim],
    total: str = "",
    number: Callable[[int], str] = "{:,}".format,
    translate: Translate = _english,
) -> str:
    """Return “6 statements: 2 quoted word for word, 3 read by the model, 1 not checked”.

    `total` is the translated “6 statements”, `number` formats counts.
    """
    if not claims:
        return ""
    templates: dict[Mark, str] = {
        "quoted": translate("{n} quoted word for word"),
        "read": translate("{n} read by the model"),
        "otherwise": translate("{n} that the model reads otherwise"),
        "silent": translate("{n} that the model does not find"),
        "altered": translate("{n} where the lines seem to say otherwise"),
        "computed": translate("{n} computed here"),
        "missing": translate("{n} with words that are not written there"),
        "unchecked": translate("{n} not checked"),
        "uncited": translate("{n} without a source"),
        "earlier": translate("{n} checked by an earlier version"),
    }
    counts = Counter(claim.mark for claim in claims)
    parts = [template.format(n=number(counts[mark])) for mark, template in templates.items() if counts[mark]]
    listed = translate(", ").join(parts)
    return translate("{total}: {parts}").format(total=total or plural(len(claims), "statement"), parts=listed)
