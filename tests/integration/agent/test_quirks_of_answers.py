"""The quirks of ENDPOINTS.md from 34 on, by number and over real sockets: what was seen in the text of answers."""

import json
from collections.abc import Sequence

import pytest

from desktop_rag.agent.events import Answered
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits, Profile
from tests.endpoint import Call, ScriptedEndpoint, Turn

QUESTION = "When is the rent due?"
SAID = "The tenant pays the rent on the first day of each month"
WRITTEN = f"{SAID} [turn1search1 L3]."
SHOWN = f"{SAID} [1](cite:1)."
THOUGHT = "The lease names the first day. Answer with the citation."


def chunk(content: str | None = None, reason: str | None = None, **fields: object) -> str:
    delta = {} if content is None else {"content": content}
    value = {"choices": [{"index": 0, "delta": delta, "finish_reason": reason, **fields}]}
    return f"data: {json.dumps(value)}\n\n"


def pieces(text: str, size: int = 7) -> list[str]:
    return [chunk(text[start : start + size]) for start in range(0, len(text), size)]


def answered(engine: SearchEngine, chunks: Sequence[str]) -> Answered:
    searched = Turn(calls=[Call("search", '{"queries": ["tenant pays rent first day month"]}')])
    said = Turn(chunks=[*chunks, "data: [DONE]\n\n"])
    with ScriptedEndpoint([searched, said, said, said]) as endpoint:
        model = OpenAIChat(Profile("test", endpoint.base_url, "m", context_window=32_768), "")
        *_, last = answer(Question(QUESTION), Run(toolkit("full"), model, engine, limits=Limits(steps=4)))
    assert isinstance(last, Answered)
    return last


STOP = chunk(reason="stop")
GROWING = [chunk(WRITTEN[:end]) for end in range(5, len(WRITTEN) + 5, 5)]
CHANNELS = f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>{WRITTEN}"
MORE_THOUGHTS = f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant{CHANNELS}<|return|>"
QUIRKS = {
    "34 the last chunk repeats the answer": [*pieces(WRITTEN), chunk(WRITTEN, "stop")],
    "34 a chunk of its own repeats the answer": [*pieces(WRITTEN), chunk(WRITTEN), STOP],
    "34 the repetition ends with a line": [*pieces(WRITTEN), chunk(f"{WRITTEN}\n"), STOP],
    "34 the repetition leaves out the thinking": [
        *pieces(f"<think>{THOUGHT}</think>\n{WRITTEN}"),
        chunk(WRITTEN),
        STOP,
    ],
    "34 a message repeats the answer": [
        *pieces(WRITTEN),
        chunk(None, "stop", message={"role": "assistant", "content": WRITTEN}),
    ],
    "35 every chunk has all of it so far": [*GROWING, STOP],
    "35 letter by letter": [*(chunk(WRITTEN[:end]) for end in range(1, len(WRITTEN) + 1)), STOP],
    "35 the last one twice": [*GROWING, chunk(WRITTEN, "stop")],
    "35 in two chunks": [chunk(WRITTEN[:30]), chunk(WRITTEN), STOP],
    "36 Harmony": [*pieces(f"{CHANNELS}<|return|>"), STOP],
    "36 Harmony letter by letter": [*pieces(f"{CHANNELS}<|return|>", 1), STOP],
    "36 Harmony at once": [chunk(CHANNELS), STOP],
    "36 Harmony with two analyses": [*pieces(MORE_THOUGHTS), STOP],
    "36 only the final channel": [*pieces(f"<|channel|>final<|message|>{WRITTEN}<|return|>"), STOP],
    "36 tokens dropped": [*pieces(f"analysis{THOUGHT}assistantfinal{WRITTEN}"), STOP],
    "36 tokens dropped, letter by letter": [*pieces(f"analysis{THOUGHT}assistantfinal{WRITTEN}", 1), STOP],
    "37 Gemma": [*pieces(f"<|channel>thought\n{THOUGHT}<channel|>{WRITTEN}<turn|>"), STOP],
    "37 Gemma letter by letter": [*pieces(f"<|channel>thought\n{THOUGHT}<channel|>{WRITTEN}<turn|>", 1), STOP],
    "38 wide brackets": [*pieces(f"{SAID} ［turn1search1 L3］."), STOP],
    "38 cite": [*pieces(f"{SAID} [cite: turn1search1 L3, turn1search1 L3]."), STOP],
    "38 a footnote": [*pieces(f"{SAID} [^turn1search1 L3].", 1), STOP],
    "34 after the end, in pieces again": [*pieces(WRITTEN), STOP, *pieces(WRITTEN), STOP],
    "34 after the end, as a message": [
        *pieces(WRITTEN),
        STOP,
        chunk(None, message={"role": "assistant", "content": WRITTEN}),
    ],
    "34 every piece says that it is the last": [
        chunk(WRITTEN[start : start + 7], "stop") for start in range(0, len(WRITTEN), 7)
    ],
    "36 two final channels": [
        *pieces(f"{CHANNELS}<|end|><|start|>assistant<|channel|>final<|message|>{WRITTEN}"),
        STOP,
    ],
    "36 tokens dropped, no beginning": [*pieces(f"assistantfinal{WRITTEN}"), STOP],
    "36 tokens dropped, thinking without a beginning": [*pieces(f"{THOUGHT}assistantfinal{WRITTEN}"), STOP],
    "36 tokens dropped, twice": [*pieces(f"analysis{THOUGHT}assistantfinal{WRITTEN}assistantfinal{WRITTEN}"), STOP],
    "36 only a name": [*pieces(f"final{WRITTEN}"), STOP],
    "36 Mistral's brackets": [*pieces(f"[THINK]{THOUGHT}[/THINK]{WRITTEN}"), STOP],
    "36 the answer in two turns": [*pieces(f"{WRITTEN}<|im_end|>\n<|im_start|>assistant\n{WRITTEN}"), STOP],
    "36 a fence around it": [*pieces(f"```markdown\n{WRITTEN}\n```"), STOP],
    **{
        f"38 {around}": [*pieces(f"{SAID} {around.format('turn1search1 L3')}."), STOP]
        for around in (
            *("[Source 1: {0}]", "[source {0}]", "[Source {0}: lease.md]", "[Source 1: lease.md, line 3]"),
            *("<sup>[{0}]</sup>", "<sup>{0}</sup>", "<cite>{0}</cite>", "<ref>[{0}]</ref>", "**[{0}]**", "__[{0}]__"),
            *("[**{0}**]", "`[{0}]`", "***[{0}]***", "\\cite{{{0}}}", "$^{{[{0}]}}$", "{{{0}}}", "[[{0}]](#cite)"),
            *("[{0}](lease.md)", "[**[{0}]**]"),
        )
    },
    "38 raised numbers": [*pieces(f"{SAID}<sup>[1]</sup>.\n\nSources:\n[1] turn1search1 L3"), STOP],
    "38 double brackets": [*pieces(f"{SAID} [[turn1search1 L3]]."), STOP],
}


WITH_PARTS = {"role": "assistant", "content": [{"type": "text", "text": WRITTEN}]}
HOSTILE = {
    "thinking that grows": [
        *(
            f"data: {json.dumps({'choices': [{'delta': {'reasoning_content': THOUGHT[:end]}}]})}\n\n"
            for end in range(5, 55, 5)
        ),
        *pieces(WRITTEN),
        STOP,
    ],
    "a message of parts": [*pieces(WRITTEN), chunk(None, "stop", message=WITH_PARTS)],
    "only a message": [chunk(None, "stop", message={"content": WRITTEN})],
    "a constrained channel": [*pieces(f"<|channel|>final <|constrain|>text<|message|>{WRITTEN}<|return|>"), STOP],
    "Gemma's final channel": [
        *pieces(f"<|channel>thought\n{THOUGHT}<channel|><|channel>final\n{WRITTEN}<turn|>"),
        STOP,
    ],
    "a preamble": [
        *pieces("<|channel|>commentary<|message|>I look.<|end|><|start|>assistant"),
        *pieces(f"<|channel|>final<|message|>{WRITTEN}"),
        STOP,
    ],
    "two roles dropped": [*pieces(f"assistantanalysis{THOUGHT}assistantfinal{WRITTEN}", 4), STOP],
    "content of other types": [
        *(f"data: {json.dumps({'choices': [{'delta': {'content': each}}]})}\n\n" for each in (1, True, {"a": 1}, None)),
        *pieces(WRITTEN),
        STOP,
    ],
    "choices as an object": ['data: {"choices": {"0": {"delta": {"content": "x"}}}}\n\n', *pieces(WRITTEN), STOP],
    "counts that are none": [*pieces(WRITTEN), 'data: {"choices": [], "usage": {"prompt_tokens": -5}}\n\n', STOP],
    "a list of counts": [*pieces(WRITTEN), 'data: {"choices": [], "usage": [1]}\n\n', STOP],
    "a byte order mark before each event": ["\ufeff" + each for each in (*pieces(WRITTEN), STOP)],
    "direction marks": [*pieces(WRITTEN.replace("rent", "re\u202ent\x00")), STOP],
    "upper case": [*pieces(f"<THINK>{THOUGHT}</THINK>{WRITTEN}"), STOP],
    "nested thinking": [*pieces(f"<think><think>{THOUGHT}</think></think>{WRITTEN}"), STOP],
    "thought": [*pieces(f"<thought>{THOUGHT}</thought>{WRITTEN}", 1), STOP],
    "reasoning": [*pieces(f"<reasoning>{THOUGHT}</reasoning>{WRITTEN}", 3), STOP],
    "seed": [*pieces(f"<seed:think>{THOUGHT}</seed:think>{WRITTEN}"), STOP],
    "an answer's tag": [*pieces(f"<answer>{WRITTEN}</answer>", 2), STOP],
    "both": [*pieces(f"<think>{THOUGHT}</think><answer>{WRITTEN}</answer>"), STOP],
    "a box": [*pieces(f"<|begin_of_box|>{WRITTEN}<|end_of_box|>"), STOP],
    "a dagger": [*pieces(f"{SAID} 【turn1search1†source】."), STOP],
    "twice": [*pieces(f"{SAID} [turn1search1 L3][turn1search1 L3]."), STOP],
    "a link": [*pieces(f"{SAID} [turn1search1](turn1search1)."), STOP],
    "escaped": [*pieces(f"{SAID} \\[turn1search1 L3\\].", 1), STOP],
    "cut off in a citation": [*pieces(f"{WRITTEN} [turn1"), chunk(reason="length")],
    "an endless answer": [*pieces(f"{WRITTEN} " * 60), chunk(reason="length")],
    "cut off in its lead": [*pieces(f"{WRITTEN} [cite: tur"), chunk(reason="length")],
}


@pytest.mark.parametrize("chunks", HOSTILE.values(), ids=HOSTILE)
def test_odd_parts_around_an_answer_are_no_part_of_it(engine: SearchEngine, chunks: Sequence[str]) -> None:
    assert answered(engine, chunks).text.rstrip() == SHOWN


@pytest.mark.parametrize("chunks", QUIRKS.values(), ids=QUIRKS)
def test_the_answer_is_shown_once_and_bare(engine: SearchEngine, chunks: Sequence[str]) -> None:
    assert answered(engine, chunks).text == SHOWN


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"analysis of the lease: {WRITTEN}", f"analysis of the lease: {SHOWN}"),
        (f"A<|channel|> is a token. {WRITTEN}", f"A<|channel|> is a token. {SHOWN}"),
        (f"ha haha hahaha. {WRITTEN}", f"ha haha hahaha. {SHOWN}"),
    ],
)
def test_an_ordinary_answer_stays(engine: SearchEngine, text: str, shown: str) -> None:
    assert answered(engine, [*pieces(text, 3), STOP]).text == shown


def test_36_a_call_in_channels_is_made(engine: SearchEngine) -> None:
    call = (
        '<|start|>assistant<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"queries": ["rent"]}'
    )
    thought = f"<|channel|>analysis<|message|>{THOUGHT}<|end|>"
    script = [
        Turn(chunks=[*pieces(f"{thought}{call}<|call|>"), STOP, "data: [DONE]\n\n"]),
        Turn(text=WRITTEN),
        Turn(text=WRITTEN),
    ]
    with ScriptedEndpoint(script) as endpoint:
        model = OpenAIChat(Profile("test", endpoint.base_url, "m", context_window=32_768), "")
        *_, last = answer(Question(QUESTION), Run(toolkit("full"), model, engine, limits=Limits(steps=4)))
        assert any(message["role"] == "tool" for message in endpoint.requests[1].messages)
    assert isinstance(last, Answered)
    assert last.text == SHOWN


def test_39_a_figure_in_latex_is_the_figure(engine: SearchEngine) -> None:
    for text, missing in (
        ("It costs \\(1{,}250\\) euros, or \\boxed{1{,}250}", ("1,250) euros", "1,250")),
        ("It costs 1\\,250 euros", ("1,250 euros",)),
        ("It is due on day \\(1\\)", ()),
    ):
        (claim,) = answered(engine, [*pieces(f"{text} [turn1search1 L3]."), STOP]).claims
        assert claim.missing == missing
