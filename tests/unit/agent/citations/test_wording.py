from desktop_rag.agent.citations.wording import count_claims, describe_claim
from desktop_rag.agent.events import Claim, ClaimFault


def test_the_header_counts_what_was_checked() -> None:
    claims = [Claim(0, 1, "supported", (1,))] * 3 + [Claim(0, 1, "computed", (1,)), Claim(0, 1, "relocated", (1,))]
    assert count_claims([*claims, Claim(0, 1, "unsupported", (1,))]) == "6 statements: 5 supported, 1 not"
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
