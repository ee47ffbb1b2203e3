"""Documents with similar titles: the best one stands first, the others make room for documents about something else."""

from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import MatchReason
from desktop_rag.retrieval.ranking.hybrid_pool import PENALTY, DocumentTitle, diversified
from desktop_rag.retrieval.ranking.link_boost import stems
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunk

QUESTION = "When were the ships that carried the Heinkel HD 23 first built?"


def order(question: str, *found: tuple[str, int, float]) -> list[int]:
    """Return the numbers of the chunks (title, document, score) in their new order; the scores must descend."""
    ranked = [RankedChunk(ChunkId(n), score, MatchReason()) for n, (_, _, score) in enumerate(found)]
    titles = {ChunkId(n): DocumentTitle(ContentId(one), stems(title)) for n, (title, one, _) in enumerate(found)}
    changed = diversified(ranked, titles, stems(question))
    scores = [each.score for each in changed]
    assert scores == sorted(scores, reverse=True)
    return [int(each.chunk) for each in changed]


def test_another_of_a_series_makes_room_for_another_subject() -> None:
    found = order(QUESTION, ("Heinkel HD 23", 1, 0.9), ("Heinkel HD 39", 2, 0.7), ("Aircraft carrier", 3, 0.65))
    assert found == [0, 2, 1]


def test_passages_of_one_document_keep_their_order() -> None:
    found = order(QUESTION, ("Heinkel HD 23", 1, 0.9), ("Heinkel HD 23", 1, 0.7), ("Aircraft carrier", 3, 0.65))
    assert found == [0, 1, 2]


def test_what_the_question_names_too_is_not_another_of_the_series() -> None:
    question = "Was the Heinkel HD 23 heavier than the Heinkel HD 39?"
    found = order(question, ("Heinkel HD 23", 1, 0.9), ("Heinkel HD 39", 2, 0.7), ("Aircraft carrier", 3, 0.65))
    assert found == [0, 1, 2]


def test_a_clearly_better_passage_stays_first() -> None:
    apart = 0.7 - PENALTY
    found = order(QUESTION, ("Heinkel HD 23", 1, 0.9), ("Heinkel HD 39", 2, 0.7), ("Aircraft carrier", 3, apart))
    assert found == [0, 1, 2]


def test_untitled_documents_keep_their_order() -> None:
    assert order(QUESTION, ("", 1, 0.9), ("", 2, 0.7), ("Aircraft carrier", 3, 0.65)) == [0, 1, 2]


def test_files_of_one_title_are_no_series() -> None:
    assert order(QUESTION, ("Minutes", 1, 0.9), ("The minutes", 2, 0.7), ("Aircraft carrier", 3, 0.65)) == [0, 1, 2]
