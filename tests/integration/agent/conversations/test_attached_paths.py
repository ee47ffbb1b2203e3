"""Which files conversations have attached: one file can belong to several, and goes with the last of them."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import ChosenScope, Turn
from desktop_rag.agent.events import RunStarted

OFFER, LEASE = b"/desk/offer.txt", b"/desk/lease \xff.pdf"  # names need not be valid text


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ConversationStore]:
    with closing(ConversationStore(tmp_path / "conversations.sqlite")) as store:
        yield store


def test_a_file_of_two_conversations_stays_with_the_second(store: ConversationStore) -> None:
    first, second = store.begin("offer.txt"), store.begin("both")
    store.save_scope(first, ChosenScope(attached=(OFFER,)))
    store.save_scope(second, ChosenScope(attached=(LEASE, OFFER)))
    assert store.attached() == (OFFER, LEASE)
    store.delete(first)
    assert store.attached() == (LEASE, OFFER)
    store.delete(second)
    assert store.attached() == ()


def test_a_branch_keeps_the_attachments(store: ConversationStore) -> None:
    origin = store.begin("offer.txt")
    store.save_scope(origin, ChosenScope(attached=(OFFER,)))
    store.save(origin, Turn(1, "What does it cost?", (RunStarted("What does it cost?", "full", "m", 1),), 1))
    copy = store.branch(origin, 1)
    store.delete(origin)
    assert store.load(copy).scope.attached == (OFFER,)
    assert store.attached() == (OFFER,)


def test_a_conversation_with_an_attachment_and_no_question_is_kept(store: ConversationStore) -> None:
    kept, empty = store.begin("offer.txt"), store.begin("nothing")
    store.save_scope(kept, ChosenScope(attached=(OFFER,)))
    store.discard(kept)
    store.discard(empty)
    assert [summary.id for summary in store.summaries()] == [kept]
    store.save(kept, Turn(1, "What does it cost?", (), 1))
    assert [summary.title for summary in store.summaries()] == ["What does it cost?"]
