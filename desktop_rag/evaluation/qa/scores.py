"""The measures of one answer, as the papers define them; a measure that does not apply to a question is left out."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from desktop_rag.evaluation.qa.question_records import Cited, JudgeVerdict, Opened, QaSystem, Record
from desktop_rag.evaluation.qa.question_sets import QaQuestion
from desktop_rag.evaluation.qa.trajectory import intent_recovery, planned_intents, same_intent_overlap

OPENED = 10  # passages among which the evidence is looked for
SOON = 3  # the same for pages of long documents
VERIFIED = ("verbatim", "paraphrase")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")

Values = dict[str, float]  # a measure's value, by its name


def normalised(text: str) -> str:
    """Return a text as SQuAD compares answers: lower case, no punctuation, no articles, single spaces."""
    kept = (character for character in text.lower() if not unicodedata.category(character).startswith("P"))
    return " ".join(_ARTICLES.sub(" ", "".join(kept)).split())


def exact(text: str, answers: Iterable[str]) -> float:
    """Return 1 if the answer is one of the right ones (SQuAD's exact match)."""
    return float(any(normalised(text) == normalised(answer) for answer in answers))


def overlap(text: str, answers: Iterable[str]) -> float:
    """Return SQuAD's F1: the words shared with the right answer that fits best."""
    return max((_f1(normalised(text).split(), normalised(answer).split()) for answer in answers), default=0.0)


def contains(text: str, answers: Iterable[str]) -> float:
    """Return 1 if a right answer stands in the text, as whole words (A-RAG's contain-match)."""
    said = f" {normalised(text)} "
    return float(any(f" {right} " in said for right in map(normalised, answers) if right))


def measures(question: QaQuestion, record: Record, judged: JudgeVerdict | None, system: QaSystem) -> Values:
    """Return every measure that applies to the question; `judged` is what a judging model said, if one was asked."""
    found = (
        _of_answer(question, record, judged, system) | _of_evidence(question, record) | _of_citations(question, record)
    )
    found |= {
        "steps": record.steps,
        "calls": sum(record.calls.values()),
        "retrieved tokens": record.retrieved_tokens,
        "tokens": record.prompt_tokens + record.completion_tokens,
        "seconds": record.seconds,
    }
    intents = judged.intents if judged else planned_intents(record.searches, record.plan)
    if (shared := same_intent_overlap(record.searches, intents)) is not None:
        found["same-intent overlap"] = shared
    if (recovered := intent_recovery(record.searches, intents)) is not None:
        found["intent recovery"] = recovered
    return found


def refused(record: Record) -> bool:
    """Return whether the answer is that the library does not hold it."""
    return not record.found and not record.error


def correct(question: QaQuestion, record: Record, judged: JudgeVerdict | None, system: QaSystem) -> bool:
    """Return whether the answer is right: as the judge says, else as the words say; a refusal where none exists."""
    if not question.answerable or system.without_gold:
        return refused(record)
    if judged is not None and judged.correct is not None:
        return judged.correct
    return record.found and bool(contains(record.text, question.answers))


def _of_answer(question: QaQuestion, record: Record, judged: JudgeVerdict | None, system: QaSystem) -> Values:
    right = correct(question, record, judged, system)
    if not question.answerable or system.without_gold:
        said = record.found and bool(contains(record.text, question.answers))
        leaked = question.answerable and (judged.correct if judged and judged.correct is not None else said)
        return {
            "correct": float(right),
            "refusal": float(refused(record)),
            "gold leak": float(bool(leaked) and not refused(record)),
            "hallucination": float(not refused(record) and not leaked),
        }
    text = record.text if record.found else ""
    found = {
        "correct": float(right),
        "EM": exact(text, question.answers),
        "F1": overlap(text, question.answers),
        "contain": contains(text, question.answers),
        "wrongly refused": float(refused(record)),
    }
    if judged is not None and judged.correct is not None:
        found["LLM"] = float(judged.correct)
    return found


def _of_evidence(question: QaQuestion, record: Record) -> Values:
    if not question.gold or len(record.missing) == len(question.gold):
        return {}
    total = len(question.gold)
    opened = record.opened[:OPENED]
    documents = {question.gold[number].file for passage in opened for number in passage.documents}
    found = {
        "gold opened@10": len(_gold(opened)) / total,
        "all gold opened@10": float(len(_gold(opened)) == total),
        "document opened": len(documents) / len({gold.file for gold in question.gold}),
        "gold found": len({number for search in record.searches for number in search.gold}) / total,
    }
    if any(gold.page for gold in question.gold):
        found["page in 3 opens"] = float(any(passage.soon for passage in record.opened[:SOON]))
    return found


def _of_citations(question: QaQuestion, record: Record) -> Values:
    """Return how much of the evidence is cited, the most relevant documents first, and what the quotes are worth."""
    found: Values = {}
    if record.citations:
        verdicts = Counter(citation.verdict for citation in record.citations)
        found["verbatim"] = verdicts["verbatim"] / len(record.citations)
        found["verified"] = sum(verdicts[verdict] for verdict in VERIFIED) / len(record.citations)
    if not question.gold or record.missing:
        return found
    ranked = sorted(record.citations, key=lambda citation: -citation.relevancy)  # equal ones as they were numbered
    files = list(dict.fromkeys(citation.file for citation in ranked))
    for depth in (1, 3):
        found[f"document recall@{depth}"] = _documents(question, ranked, files[:depth])
    if record.found:
        held = [citation for citation in record.citations if citation.gold]
        found["citation precision"] = len(held) / max(len(record.citations), 1)
        found["citation recall"] = len(_gold(record.citations)) / len(question.gold)
    return found


def _documents(question: QaQuestion, citations: Sequence[Cited], files: Sequence[str]) -> float:
    held = {number for citation in citations if citation.file in files for number in citation.documents}
    return len({question.gold[number].file for number in held}) / len({gold.file for gold in question.gold})


def _gold(passages: Sequence[Opened] | Sequence[Cited]) -> set[int]:
    return {number for passage in passages for number in passage.gold}


def _f1(said: Sequence[str], right: Sequence[str]) -> float:
    shared = sum((Counter(said) & Counter(right)).values())
    return 2 * shared / (len(said) + len(right)) if shared else 0.0
