from desktop_rag.agent.conversations.conversation_store import merge_deltas
from desktop_rag.agent.events import AnswerDelta, AnswerRestarted, Thought


def test_adjacent_deltas_of_one_text_are_merged() -> None:
    thoughts = (Thought(1, "a"), Thought(1, "b"), Thought(2, "c"))
    assert merge_deltas((*thoughts, AnswerDelta("x"), AnswerDelta("y"), AnswerRestarted(2))) == [
        Thought(1, "ab"),
        Thought(2, "c"),
        AnswerDelta("xy"),
        AnswerRestarted(2),
    ]
