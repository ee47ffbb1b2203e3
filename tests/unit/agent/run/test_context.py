from desktop_rag.agent.run.context import MessageContext
from desktop_rag.llm.chat import AssistantMessage, Evidence, TokenUsage, ToolMessage, UserMessage
from tests.unit.agent.conftest import Says, ScriptedModel


def context(limit: int = 4_000, history: int = 0) -> MessageContext:
    said = [message for _ in range(history) for message in (UserMessage("q" * 400), AssistantMessage("a" * 400))]
    found = MessageContext(ScriptedModel([Says("ok")]), limit, "be brief", (), said)
    found.add(UserMessage("why?"))
    found.begin_run()
    return found


def result(call: str, size: int = 2_000) -> ToolMessage:
    return ToolMessage(call, "search", "x" * size, (Evidence("turn1search1", "Lease", 4, ("x",)),))


def test_tokens_are_counted_by_kind() -> None:
    measured = context()
    measured.add(AssistantMessage("I will search."))
    measured.add(result("1"))
    use = measured.measure()
    assert (use.instructions, use.history, use.evidence, use.answer) == (7, 6, 505, 8)
    assert use.estimated
    assert measured.free() == 4_000 - use.used - measured.answer_tokens


def test_the_endpoints_own_count_calibrates_ours() -> None:
    measured = context()
    answered = AssistantMessage("yes")
    measured.add(result("1"))
    before = measured.measure().used
    measured.add(answered)
    measured.calibrate(TokenUsage(prompt=before * 2, completion=1), answered)
    assert abs(measured.measure().evidence - 1_010) <= 1
    assert not measured.measure().estimated


def test_an_implausible_count_is_ignored() -> None:
    measured = context()
    measured.add(result("1"))
    measured.calibrate(TokenUsage(prompt=5, completion=1), AssistantMessage("yes"))
    assert measured.measure().estimated


def test_older_tool_results_are_evicted_but_keep_their_references() -> None:
    full = context()
    for call in ("1", "2", "3", "4", "5", "6"):
        full.add(result(call))
    assert full.is_full()
    emptied = full.evict()
    assert emptied == {"1", "2", "3", "4"}
    texts = [message.text for message in full.messages if isinstance(message, ToolMessage)]
    assert texts[0] == "[removed to save space; still usable: turn1search1 “Lease” from line 4]"
    assert texts[5] == "x" * 2_000
    assert not full.is_full()


def test_the_last_result_and_the_question_are_never_evicted() -> None:
    full = context(history=3)
    full.add(result("1", 40_000))
    full.evict()
    assert full.messages[1] == UserMessage("why?")
    assert full.messages[-1] == result("1", 40_000)


def test_old_turns_are_evicted_after_results() -> None:
    full = context(history=8)
    full.add(result("1", 4_000))
    full.evict()
    assert full.messages[1:] != []
    assert isinstance(full.messages[1], UserMessage)
    assert full.measure().history < 8 * 208


def passages(lines: int, count: int) -> ToolMessage:
    found = tuple(
        Evidence(f"turn1search{n}", f"Lease {n}", 10, tuple(f"word {n} " * 10 for _ in range(lines)))
        for n in range(1, count + 1)
    )
    text = "\n".join(line for each in found for line in each.lines)
    return ToolMessage("1", "search", text, found)


def test_the_last_result_loses_whole_passages_from_the_end_and_says_so() -> None:
    full = context(2_000)
    full.add(passages(10, 12))
    assert full.shorten_last_result() == {"1"}
    assert not full.is_full()
    kept = full.messages[-1]
    assert isinstance(kept, ToolMessage)
    assert 0 < len(kept.evidence) < 12
    assert kept.evidence == passages(10, 12).evidence[: len(kept.evidence)]
    assert "still usable: " in kept.text
    assert "turn1search12 “Lease 12” from line 10" in kept.text
    assert full.shorten_last_result() == frozenset(), "nothing more need go"


def test_a_single_long_passage_keeps_its_first_lines() -> None:
    full = context(2_000)
    full.add(passages(200, 1))
    full.shorten_last_result()
    kept = full.messages[-1]
    assert isinstance(kept, ToolMessage)
    assert not full.is_full()
    (held,) = kept.evidence
    assert held.lines == passages(200, 1).evidence[0].lines[: len(held.lines)]
    assert f"“Lease 1” from line {10 + len(held.lines)}" in kept.text


def test_a_result_without_passages_is_cut_and_says_so() -> None:
    full = context(2_000)
    full.add(ToolMessage("1", "list_documents", "a name\n" * 2_000))
    full.shorten_last_result()
    assert not full.is_full()
    assert full.messages[-1].text.endswith("[the rest was removed to save space]")
