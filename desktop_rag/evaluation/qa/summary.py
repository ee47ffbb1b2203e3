"""Aggregates the records of one system on one question set."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.evaluation.datasets import MeanDifference, difference
from desktop_rag.evaluation.qa.question_records import Cited, JudgeVerdict, Opened, QaSystem, Record, RecordedSearch
from desktop_rag.evaluation.qa.question_sets import QaQuestion

# Trajectory measures: whether reformulated queries of one intent find new results (LogicalRAG, appendix F).

SAME_INTENT = 0.5  # share of the shorter query's words that two queries of one intent share, without a judge

BY_WORDS = "intents by the lines of the model's plan if there is one, else by shared words"
BY_JUDGE = "intents by the judge"


def same_intent_overlap(searches: Sequence[RecordedSearch], intents: Sequence[int] = ()) -> float | None:
    """Return the mean overlap of the results of consecutive searches of one intent; None without any."""
    shares = []
    for group in grouped(searches, intents):
        steps = [_shared(first, second) for first, second in pairwise(group)]
        if steps:
            shares.append(sum(steps) / len(steps))
    return sum(shares) / len(shares) if shares else None


def intent_recovery(searches: Sequence[RecordedSearch], intents: Sequence[int] = ()) -> float | None:
    """Return the share of intents whose first search failed and a later one succeeded; None without any to recover.

    A search succeeds if its results include gold evidence.
    """
    failed = [group for group in grouped(searches, intents) if len(group) > 1 and not group[0].gold]
    recovered = [group for group in failed if any(search.gold for search in group)]
    return len(recovered) / len(failed) if failed else None


def grouped(searches: Sequence[RecordedSearch], intents: Sequence[int] = ()) -> list[list[RecordedSearch]]:
    """Group searches by intent: as judged, else by shared words."""
    if len(intents) != len(searches):
        return _by_words(searches)
    groups: dict[int, list[RecordedSearch]] = {}
    for search, intent in zip(searches, intents, strict=True):
        groups.setdefault(intent, []).append(search)
    return list(groups.values())


def planned_intents(searches: Sequence[RecordedSearch], plan: Sequence[str]) -> tuple[int, ...]:
    """Return for each search the plan line with which it shares most words; () for a plan of one line."""
    lines = [set(stems(line)) for line in plan]
    if len(lines) <= 1:
        return ()
    words = [set(stems(search.queries)) for search in searches]
    return tuple(max(range(len(lines)), key=lambda line: len(query & lines[line])) for query in words)


def _by_words(searches: Sequence[RecordedSearch]) -> list[list[RecordedSearch]]:
    groups: list[tuple[set[str], list[RecordedSearch]]] = []
    for search in searches:
        words = set(stems(search.queries))
        known = next((group for group in groups if _same_intent(words, group[0])), None)
        if known:
            known[1].append(search)
        else:
            groups.append((words, [search]))
    return [group for _, group in groups]


def _same_intent(words: set[str], others: set[str]) -> bool:
    return len(words & others) >= SAME_INTENT * max(min(len(words), len(others)), 1)


def _shared(first: RecordedSearch, second: RecordedSearch) -> float:
    """Return the share of the shorter result list that two searches have in common."""
    fewer = min(len(set(first.results)), len(set(second.results)))
    return len({*first.results} & {*second.results}) / fewer if fewer else 0.0


# The measures of one answer, as the papers define them; measures that do not apply are left out.

OPENED = 10  # first opened passages that may contain the evidence
OPENED_PAGES = 3  # the same for pages of long documents
LOCATED = ("verbatim", "paraphrase")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")

Values = dict[str, float]  # a measure's value, by its name


def normalised(text: str) -> str:
    """Normalise a text like SQuAD: lower case, no punctuation, no articles, single spaces."""
    kept = (character for character in text.lower() if not unicodedata.category(character).startswith("P"))
    return " ".join(_ARTICLES.sub(" ", "".join(kept)).split())


def exact_match(text: str, answers: Iterable[str]) -> float:
    """Return 1 if the normalised answer equals a right one (EM of SQuAD)."""
    return float(any(normalised(text) == normalised(answer) for answer in answers))


def token_f1(text: str, answers: Iterable[str]) -> float:
    """Return the greatest F1 of words with a right answer (F1 of SQuAD)."""
    return max((_f1(normalised(text).split(), normalised(answer).split()) for answer in answers), default=0.0)


def contains(text: str, answers: Iterable[str]) -> float:
    """Return 1 if the text contains a right answer as whole words (contain-match of A-RAG)."""
    padded = f" {normalised(text)} "
    return float(any(f" {right} " in padded for right in map(normalised, answers) if right))


def measures(question: QaQuestion, record: Record, judged: JudgeVerdict | None, system: QaSystem) -> Values:
    """Return every measure that applies to the question; `judged` is the verdict of the judging model, if any."""
    found = (
        _of_answer(question, record, judged, system) | _of_evidence(question, record) | _of_citations(question, record)
    )
    found |= {
        "steps": record.steps,
        "repair requests": record.repairs,
        "repair tokens": record.repair_tokens,
        "calls": sum(record.calls.values()),
        "retrieved tokens": record.retrieved_tokens,
        "tokens": record.prompt_tokens + record.completion_tokens,
        "seconds": record.seconds,
    }
    if record.first_words:
        found["first words"] = record.first_words
    intents = judged.intents if judged else planned_intents(record.searches, record.plan)
    if (shared := same_intent_overlap(record.searches, intents)) is not None:
        found["same-intent overlap"] = shared
    if (recovered := intent_recovery(record.searches, intents)) is not None:
        found["intent recovery"] = recovered
    return found


def refused(record: Record) -> bool:
    """Return whether the answer is a refusal: not found in the library."""
    return not record.found and not record.error


def correct(question: QaQuestion, record: Record, judged: JudgeVerdict | None, system: QaSystem) -> bool:
    """Return whether the answer is correct, by the judge or by contain-match; a refusal if there is no answer."""
    if not question.answerable or system.without_gold:
        return refused(record)
    if judged is not None and judged.correct is not None:
        return judged.correct
    return record.found and bool(contains(record.text, question.answers))


def is_comparable(question: QaQuestion, judged: JudgeVerdict | None) -> bool:
    """Return whether an answer can be right or wrong: there is a right one, a judge, or none is expected."""
    return bool(question.answers) or not question.answerable or (judged is not None and judged.correct is not None)


def _of_answer(question: QaQuestion, record: Record, judged: JudgeVerdict | None, system: QaSystem) -> Values:
    if not is_comparable(question, judged):
        return {"wrongly refused": float(refused(record))}
    right = correct(question, record, judged, system)
    if not question.answerable or system.without_gold:
        contained = record.found and bool(contains(record.text, question.answers))
        leaked = question.answerable and (judged.correct if judged and judged.correct is not None else contained)
        return {
            "correct": float(right),
            "refusal": float(refused(record)),
            "gold leak": float(bool(leaked) and not refused(record)),
            "hallucination": float(not refused(record) and not leaked),
        }
    text = record.text if record.found else ""
    found = {"correct": float(right), "wrongly refused": float(refused(record))}
    if question.answers and system.model:  # the built-in one writes no answer of its own: it quotes whole sentences
        found["EM"] = exact_match(text, question.answers)
        found["F1"] = token_f1(text, question.answers)
    if question.answers:
        found["contain"] = contains(text, question.answers)
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
        found["page in 3 opens"] = float(any(passage.soon for passage in record.opened[:OPENED_PAGES]))
    return found


def _of_citations(question: QaQuestion, record: Record) -> Values:
    """Return precision and recall of the cited evidence, and the shares of located and verbatim citations."""
    found: Values = {}
    if record.citations:
        verdicts = Counter(citation.verdict for citation in record.citations)
        found["verbatim"] = verdicts["verbatim"] / len(record.citations)
        found["located"] = sum(verdicts[verdict] for verdict in LOCATED) / len(record.citations)
    if not question.gold or record.missing:
        return found
    ranked = sorted(record.citations, key=lambda citation: -citation.relevancy)  # equal ones as they were numbered
    files = list(dict.fromkeys(citation.file for citation in ranked))
    for depth in (1, 3):
        found[f"document recall@{depth}"] = _documents(question, ranked, files[:depth])
    if record.found:
        correct_ones = [citation for citation in record.citations if citation.gold]
        found["citation precision"] = len(correct_ones) / max(len(record.citations), 1)
        found["citation recall"] = len(_gold(record.citations)) / len(question.gold)
    return found


def _documents(question: QaQuestion, citations: Sequence[Cited], files: Sequence[str]) -> float:
    numbers = {number for citation in citations if citation.file in files for number in citation.documents}
    return len({question.gold[number].file for number in numbers}) / len({gold.file for gold in question.gold})


def _gold(passages: Sequence[Opened] | Sequence[Cited]) -> set[int]:
    return {number for passage in passages for number in passage.gold}


def _f1(answer: Sequence[str], right: Sequence[str]) -> float:
    shared = sum((Counter(answer) & Counter(right)).values())
    return 2 * shared / (len(answer) + len(right)) if shared else 0.0


class AnswerFailure(StrEnum):
    """The class of a wrong answer; the first that applies."""

    FAILED = "no answer"
    INVENTED = "answered without evidence"
    NOT_THERE = "not in corpus"
    DOUBTFUL = "judge doubtful"
    BUDGET = "budget spent"
    NOT_FOUND = "not retrieved"
    NOT_READ = "retrieved but not read"
    GAVE_UP = "gave up"
    OTHER = "read but other entity"
    MISUNDERSTOOD = "misunderstood"


def failure(
    question: QaQuestion, record: Record, judged: JudgeVerdict | None, system: QaSystem
) -> AnswerFailure | None:
    """Return the failure class of an answer, or None if it is correct or there is nothing to compare it with."""
    if correct(question, record, judged, system):
        return None
    if record.error:
        return AnswerFailure.FAILED
    if not question.answerable or system.without_gold:
        return AnswerFailure.INVENTED
    if record.missing:
        return AnswerFailure.NOT_THERE
    if _doubtful(question, record, judged):
        return AnswerFailure.DOUBTFUL
    every = set(range(len(question.gold)))
    read = {number for passage in record.opened for number in passage.gold}
    found = read | {number for search in record.searches for number in search.gold}
    if read != every:
        spent = AnswerFailure.BUDGET if record.limit else None
        return spent or (AnswerFailure.NOT_READ if found == every else AnswerFailure.NOT_FOUND)
    if refused(record):
        return AnswerFailure.GAVE_UP
    if not is_comparable(question, judged):
        return None
    cited = {number for citation in record.citations for number in citation.gold}
    return AnswerFailure.MISUNDERSTOOD if cited else AnswerFailure.OTHER


def _doubtful(question: QaQuestion, record: Record, judged: JudgeVerdict | None) -> bool:
    """Return whether the judge rejects an answer that contains a right one."""
    rejected = judged is not None and judged.correct is False
    return rejected and record.found and bool(contains(record.text, question.answers))


@dataclass(frozen=True, slots=True)
class Price:
    """Prices of a million prompt and completion tokens."""

    prompt: float
    completion: float

    def of(self, record: Record) -> float:
        """Return the cost of a question."""
        return (record.prompt_tokens * self.prompt + record.completion_tokens * self.completion) / 1e6


@dataclass(frozen=True, slots=True)
class SystemScores:
    """One system on one set: the measures of each question, and the failure classes of wrong answers."""

    collection: str
    system: QaSystem
    questions: Mapping[str, QaQuestion]
    records: Mapping[str, Record]
    judged: Mapping[str, JudgeVerdict]
    values: Mapping[str, Values]  # measure → question → value
    failures: Mapping[str, AnswerFailure]

    def mean(self, measure: str) -> MeanDifference | None:
        """Return the mean of a measure with its interval, over the questions that have it."""
        found = self.values.get(measure)
        return difference(found, dict.fromkeys(found, 0.0)) if found else None

    def calls(self) -> dict[str, float]:
        """Return the mean number of calls of each tool per question."""
        total = Counter[str]()
        for record in self.records.values():
            total.update(record.calls)
        return {tool: count / len(self.records) for tool, count in total.most_common()}


def summarise(
    collection: str,
    system: QaSystem,
    questions: Mapping[str, QaQuestion],
    records: Mapping[str, Record],
    judged: Mapping[str, JudgeVerdict],
    price: Price,
) -> SystemScores:
    """Compute the measures of all recorded questions."""
    values: dict[str, Values] = {}
    failures: dict[str, AnswerFailure] = {}
    asked = {name: question for name, question in questions.items() if name in records}
    for name, question in asked.items():
        record, verdict = records[name], judged.get(name)
        found = measures(question, record, verdict, system)
        if price.prompt or price.completion:
            found["cost"] = price.of(record)
        for measure, value in found.items():
            values.setdefault(measure, {})[name] = float(value)
        if wrong := failure(question, record, verdict, system):
            failures[name] = wrong
    kept = {name: records[name] for name in asked}
    return SystemScores(collection, system, asked, kept, judged, values, failures)
