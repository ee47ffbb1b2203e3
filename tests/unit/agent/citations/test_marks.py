"""Every mark and its sentence, which mark follows from what is known, and the counts in the header."""

from dataclasses import replace
from itertools import product
from typing import get_args

import pytest

from desktop_rag.agent.citations.marks import (
    REFUSED,
    count_claims,
    describe_claim,
    describe_source,
    describe_verdict,
    grade_source,
    mark_of,
    with_judgment,
)
from desktop_rag.agent.events import Alteration, Citation, Claim, Judgment, Mark, Operand, Verdict
from desktop_rag.index.records import ContentId

MARKS: tuple[Mark, ...] = get_args(Mark)
SAYS = Judgment("says", "the rent is 950 euros")
AGAINST = Judgment("contradicts", "the rent is 850 euros")
SILENT = Judgment("silent")
COPY = Alteration("950 euros", "850 euros")
INVENTED = Alteration("no such words here")
CLAIM = Claim(0, 10, "unchecked", (1,))


def _source(verdict: Verdict, quote: str = "The rent is 954 euros.") -> Citation:
    passage = "The rent is 954 euros."
    return Citation(1, "turn1search1", ContentId(1), "", "a.md", "", "md", None, 1, 1, quote, passage, 1, verdict)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (replace(CLAIM, mark="quoted"), "Quoted word for word from the cited lines."),
        (replace(CLAIM, mark="read", judgment=SAYS), "Read by the model: “the rent is 950 euros”."),
        (replace(CLAIM, mark="otherwise", judgment=AGAINST), "The model reads otherwise: “the rent is 850 euros”."),
        (replace(CLAIM, mark="silent", judgment=SILENT), "The model does not find this in the cited lines."),
        (
            replace(CLAIM, mark="altered", altered=COPY),
            "The lines seem to say otherwise: “850 euros”, not “950 euros”.",
        ),
        (
            replace(CLAIM, mark="altered", altered=INVENTED),
            "“no such words here” stands nowhere in what was read.",
        ),
        (
            replace(
                CLAIM, mark="computed", computed="24 × 350 = 8,400", operands=(Operand("24", 2), Operand("350", 1))
            ),
            "Computed here: 24 × 350 = 8,400, from [1] [2].",
        ),
        (replace(CLAIM, mark="missing", missing=("Edin\nburgh",)), "“Edin burgh” is not written in the cited lines."),
        (replace(CLAIM, mark="missing", missing=("Rome", "9")), "“Rome”, “9” are not written in the cited lines."),
        (CLAIM, "Cited, not checked: read the lines."),
        (Claim(0, 10, "uncited"), "The model names no source in your documents for this."),
        (Claim(0, 10, "uncited", nowhere="a.md, line 9"), "It cites a.md, line 9, where nothing was read."),
        (Claim(0, 10, "uncited", nowhere=""), "It cites a file or line that your library does not have."),
        (
            Claim(0, 10, "earlier"),
            "Checked by an earlier version; ask again to have it checked anew.",
        ),
        (
            replace(CLAIM, mark="read", judgment=SAYS, missing=("Rome",)),
            "Read by the model: “the rent is 950 euros”. “Rome” is not written in the cited lines.",
        ),
    ],
)
def test_each_mark_has_its_sentence(claim: Claim, sentence: str) -> None:
    assert describe_claim(claim) == sentence


def test_the_sentences_are_those_of_every_mark() -> None:
    for mark in MARKS:
        assert describe_claim(replace(CLAIM, mark=mark)).endswith(".")


def test_a_translation_is_used_for_every_template() -> None:
    seen: list[str] = []

    def translate(template: str) -> str:
        seen.append(template)
        return template.upper().replace("{TEXT}", "{text}")

    claim = replace(CLAIM, mark="missing", missing=("x",))
    assert describe_claim(claim, translate) == "“x” IS NOT WRITTEN IN THE CITED LINES."
    assert seen


def test_the_header_counts_each_mark() -> None:
    claims = [Claim(0, 1, mark) for mark in MARKS for _ in range(2 if mark == "quoted" else 1)]
    assert count_claims(claims) == (
        "11 statements: 2 quoted word for word, 1 read by the model, 1 that the model reads otherwise, "
        "1 that the model does not find, 1 where the lines seem to say otherwise, 1 computed here, "
        "1 with words that are not written there, 1 not checked, 1 without a source, 1 checked by an earlier version"
    )
    assert count_claims([Claim(0, 1, "read")]) == "1 statement: 1 read by the model"
    assert count_claims([]) == ""


@pytest.mark.parametrize(
    ("quoted", "altered", "computed", "missing", "judgment"),
    list(product((True, False), (None, COPY, INVENTED), (True, False), (True, False), (None, SAYS, AGAINST, SILENT))),
)
def test_the_strongest_of_what_is_known_is_the_mark(
    *, quoted: bool, altered: Alteration | None, computed: bool, missing: bool, judgment: Judgment | None
) -> None:
    known = [
        ("altered", altered is INVENTED),
        ("quoted", quoted),
        ("otherwise", judgment is AGAINST),
        ("read", judgment is SAYS),
        ("altered", altered is COPY),
        ("computed", computed),
        ("silent", judgment is SILENT),
        ("missing", missing),
        ("unchecked", True),
    ]
    mark = mark_of(cited=True, quoted=quoted, altered=altered, computed=computed, missing=missing, judgment=judgment)
    assert mark == next(name for name, holds in known if holds)


def test_a_judgment_changes_no_quotation_and_no_statement_without_a_source() -> None:
    assert with_judgment(replace(CLAIM, mark="quoted"), AGAINST).mark == "quoted"
    assert with_judgment(Claim(0, 1, "uncited"), SAYS).mark == "uncited"
    assert with_judgment(replace(CLAIM, altered=INVENTED, mark="altered"), SAYS).mark == "altered"
    assert with_judgment(replace(CLAIM, altered=COPY, mark="altered"), SAYS).mark == "read"


def test_a_verdict_says_only_where_the_words_stand() -> None:
    assert describe_verdict(_source("verbatim")) == "The document has these words."
    assert describe_verdict(_source("paraphrase")) == "The lines are cited, no words of them."
    assert describe_verdict(_source("paraphrase", "The rent was 954 euros.")) == "Not word for word in these lines."
    assert describe_verdict(_source("not found", "Other words.")) == "The quoted words are nowhere in what was read."


@pytest.mark.parametrize("verdict", ["verbatim", "paraphrase"])
def test_of_a_quoted_statement_the_verdict_is_not_said_too(verdict: Verdict) -> None:
    quoted, read = replace(CLAIM, mark="quoted"), replace(CLAIM, mark="read")
    assert describe_source(_source(verdict), [read, quoted]) == describe_claim(quoted)
    altered = replace(CLAIM, altered=INVENTED, mark="altered")
    told = describe_source(_source(verdict), [quoted, altered])
    assert told == f"{describe_claim(quoted)} {describe_claim(altered)}"


def test_a_source_is_refused_only_if_every_statement_that_cites_it_is() -> None:
    for mark in REFUSED:
        refused = replace(CLAIM, mark=mark)
        assert grade_source(_source("verbatim"), [refused]) == mark
        assert grade_source(_source("verbatim"), [refused, CLAIM]) == "verbatim"
