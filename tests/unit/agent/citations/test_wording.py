from dataclasses import replace

from desktop_rag.agent.citations.marks import (
    count_claims,
    describe_claim,
    describe_source,
    grade_source,
    settle_verdicts,
)
from desktop_rag.agent.events import Citation, Claim, ClaimFault, Operand, Verdict
from desktop_rag.index.records import ContentId


def test_the_header_counts_what_was_checked() -> None:
    claims = [Claim(0, 1, "supported", (1,))] * 3 + [Claim(0, 1, "computed", (1,)), Claim(0, 1, "relocated", (1,))]
    counted = count_claims([*claims, Claim(0, 1, "unsupported", (1,))])
    assert counted == "6 statements: 5 supported in names and figures, 1 not"
    assert count_claims([Claim(0, 1, "unsupported", (1,))]) == "1 statement: 1 not supported"
    assert count_claims([Claim(0, 1, "uncited")]) == "1 statement: 1 without a source"
    assert count_claims([]) == ""


def test_an_unsupported_statement_says_what_is_missing() -> None:
    faults = (ClaimFault("name", "Edin\nburgh"), ClaimFault("figure", "9.0", "900.0"), ClaimFault("quote", "no such"))
    assert describe_claim(Claim(0, 1, "unsupported", (1,), faults)) == (
        "Not supported: no cited line mentions Edin burgh; the lines say “900.0”, not “9.0”; "
        "“no such” stands nowhere in what was read."
    )


def test_a_translation_is_used_for_every_template() -> None:
    seen: list[str] = []

    def translate(template: str) -> str:
        seen.append(template)
        return template.upper().replace("{WHY}", "{why}").replace("{TEXT}", "{text}")

    claim = Claim(0, 1, "unsupported", (1,), (ClaimFault("name", "x"),))
    assert describe_claim(claim, translate) == "NOT SUPPORTED: NO CITED LINE MENTIONS x."
    assert len(seen) == 2


def _source(verdict: Verdict, quote: str = "The rent is 954 euros.") -> Citation:
    passage = "The rent is 954 euros."
    return Citation(1, "turn1search1", ContentId(1), "", "a.md", "", "md", None, 1, 1, quote, passage, 1, verdict)


def test_a_source_of_a_supported_statement_is_not_said_to_say_nothing() -> None:
    computed = Claim(0, 1, "computed", (1,), computed="954 + 46 = 1,000", operands=(Operand("954", 1),))
    assert describe_source(_source("not found"), [computed]) == (
        "Not word for word: these lines come closest. Computed from [1]: 954 + 46 = 1,000."
    )
    assert grade_source(_source("not found"), [computed]) == "paraphrase"
    assert grade_source(_source("not found"), [replace(computed, citations=(2,))]) == "not found"
    assert settle_verdicts([_source("not found", "Invented words of it.")], [computed])[0].verdict == "not found"


def test_a_source_is_doubted_only_if_it_supports_no_statement() -> None:
    wrong = Claim(0, 1, "unsupported", (1,), (ClaimFault("name", "Edinburgh"),))
    right = Claim(2, 3, "supported", (1,))
    assert grade_source(_source("verbatim"), [wrong]) == "unsupported"
    assert grade_source(_source("verbatim"), [wrong, right]) == "verbatim"
    assert describe_source(_source("verbatim"), [wrong, right]) == (
        "The document has these words. "
        "The names and figures are in the cited passage; check that it says the same. "
        "Another statement that cites it is not supported: no cited line mentions Edinburgh."
    )


def test_of_a_quotation_it_is_said_once_that_the_document_has_its_words() -> None:
    quotation = Claim(0, 3, "supported", (1,), quoted=True)
    assert describe_source(_source("verbatim"), [quotation]) == "The document has these words."
