"""`desktop-rag serve`: real clients over real sockets, and everything they may send."""

import http.client
import json
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import openai
import psutil
import pytest

from desktop_rag.chat_server.chat_endpoint import LEAST_TURN, RUNS
from desktop_rag.chat_server.loopback_server import MOST_BODY, MOST_WAITING
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.llm.tokens import estimate
from desktop_rag.retrieval.api import SearchRequest
from desktop_rag.retrieval.service.hosted_search import hosted_search
from desktop_rag.settings import chosen_encoder
from desktop_rag.stop import Stop
from desktop_rag.text.desktop_links import OpenLink, parse_link
from tests.endpoint import Call, ScriptedEndpoint, Turn
from tests.integration.cli.conftest import READY, Object, Program
from tests.integration.cli.test_ask_command import with_profile

pytestmark = pytest.mark.processes

ENCODER = "all-MiniLM-L6-v2"
QUESTION = "What is the rent?"
ASK = {"model": "desktop-rag", "messages": [{"role": "user", "content": QUESTION}]}


@contextmanager
def serving(program: Program, *options: str, **environment: str) -> Generator[tuple[Object, psutil.Process]]:
    """A running server: what it printed of its address and key, and its process."""
    server = subprocess.Popen(
        program.command("serve", "--json", *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**program.environment, **environment},
    )
    with server:
        assert server.stdout is not None
        try:
            yield json.loads(server.stdout.readline()), psutil.Process(server.pid)
        finally:
            server.send_signal(signal.SIGINT)
            # The last one: a second interrupt that comes while the interpreter ends.
            assert server.wait(timeout=60) in (0, 130, -signal.SIGINT)


@pytest.fixture(scope="module")
def served(indexed: Program, tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Object, psutil.Process]]:
    program = Program(tmp_path_factory.mktemp("serve") / "home")
    shutil.copytree(indexed.home.parent / READY, program.library.folder)
    with serving(program) as told:
        yield told


@pytest.fixture
def client(served: tuple[Object, psutil.Process]) -> Generator[openai.OpenAI]:
    told, _ = served
    with openai.OpenAI(base_url=str(told["address"]), api_key=str(told["key"]), max_retries=0, timeout=60) as client:
        yield client


def answered(told: Object, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, Object]:
    """The status and body of a request with the key; a header given as "" is left out."""
    parts = urlsplit(str(told["address"]))
    plain = {"Content-Type": "application/json", "Authorization": f"Bearer {told['key']}"}
    sent = {name.replace("_", "-"): value for name, value in {**plain, **headers}.items() if value}
    with closing(http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)) as connection:
        connection.request(method, path, body, sent)
        reply = connection.getresponse()
        return reply.status, json.loads(reply.read())


def test_the_openai_package_gets_an_answer_with_annotations(client: openai.OpenAI) -> None:
    reply = client.chat.completions.create(model="desktop-rag", messages=[{"role": "user", "content": QUESTION}])
    message = reply.choices[0].message
    assert message.content is not None
    assert "1,200 euros" in message.content
    assert "Sources:\n[1] " in message.content
    assert message.annotations
    citation = message.annotations[0].url_citation
    assert message.content[citation.start_index : citation.end_index] == "[1]"
    link = parse_link(citation.url)
    assert isinstance(link, OpenLink)
    assert (Path(link.path).name, link.first_line, link.last_line, len(link.sha256)) == ("lease.md", 5, 5, 64)
    claims = (message.model_extra or {})["claims"]
    assert [each["mark"] for each in claims["each"]] == ["quoted"]
    assert citation.model_extra is not None
    assert citation.model_extra["lines"] == [5, 5]
    assert citation.model_extra["verdict"] == "verbatim"
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (0, 0), "no model was asked"


def test_its_searcher_answers_the_command_line(client: openai.OpenAI, served: tuple[Object, psutil.Process]) -> None:
    client.chat.completions.create(model="desktop-rag", messages=[{"role": "user", "content": QUESTION}])
    library = Program(Path(served[1].environ()["DESKTOP_RAG_HOME"])).library
    assert hosted_search(library, SearchRequest("rent"), Stop()) is not None


def test_a_stream_has_the_same_answer_after_its_steps(client: openai.OpenAI) -> None:
    messages: list[openai.types.chat.ChatCompletionMessageParam] = [{"role": "user", "content": QUESTION}]
    whole = client.chat.completions.create(model="full", messages=messages).choices[0].message.content
    options: openai.types.chat.ChatCompletionStreamOptionsParam = {"include_usage": True}
    with client.chat.completions.create(model="full", messages=messages, stream=True, stream_options=options) as parts:
        chunks = list(parts)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == whole
    extras = [chunk.choices[0].delta.model_extra or {} for chunk in chunks if chunk.choices]
    assert any("Search" in each.get("reasoning_content", "") for each in extras)
    assert any(each.get("annotations") for each in extras)
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage is not None


def test_the_models_are_the_everyday_toolkits_or_all(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["desktop-rag", "full", "quick", "auto", "literal"]
    names = [model.id for model in client.models.list(extra_query={"all": "1"})]
    assert {"desktop-rag", "full", "auto", "a-rag", "direct", ENCODER} <= set(names)
    assert "oracle" not in names, "it needs the gold passages of an evaluation"
    assert client.models.retrieve("desktop-rag").id == "desktop-rag"
    assert client.models.retrieve(ENCODER).owned_by == "desktop-rag"
    with pytest.raises(openai.NotFoundError, match="There is no model “a/b”"):
        client.models.retrieve("a/b")
    with pytest.raises(openai.NotFoundError, match="no model “gpt-9”"):
        client.chat.completions.create(model="gpt-9", messages=[{"role": "user", "content": QUESTION}])
    with pytest.raises(openai.BadRequestError, match="at most 100,000 characters"):
        client.chat.completions.create(model="full", messages=[{"role": "user", "content": "x" * 100_001}])


def test_embeddings_are_those_of_the_encoder(client: openai.OpenAI) -> None:
    texts = ["The rent is due.", "The tenant pays monthly.", "The mast is of spruce."]
    one, near, far = (each.embedding for each in client.embeddings.create(model=ENCODER, input=texts).data)
    assert len(one) == 384
    product = [sum(a * b for a, b in zip(one, other, strict=True)) for other in (one, near, far)]
    assert product[0] == pytest.approx(1, abs=1e-4)
    assert product[1] > product[2]
    plain = client.embeddings.create(model=ENCODER, input=texts[0], encoding_format="float").data[0].embedding
    assert plain == pytest.approx(one, abs=1e-5)


def test_embeddings_take_tokens_of_the_encoder_only(client: openai.OpenAI) -> None:
    tokens = Encoder.load(chosen_encoder()).tokens(["The rent is due.", "The mast, of spruce: 1,200 euros."])
    made = [each.embedding for each in client.embeddings.create(model=ENCODER, input=tokens).data]
    texts = ["The rent is due.", "The mast, of spruce: 1,200 euros."]
    for vector, same in zip(made, client.embeddings.create(model=ENCODER, input=texts).data, strict=True):
        assert vector == pytest.approx(same.embedding, abs=1e-5)
    one = client.embeddings.create(model=ENCODER, input=tokens[0][1:-1]).data
    assert one[0].embedding == pytest.approx(made[0], abs=1e-5)
    for foreign in ([791, 8175, 374, 4245, 13], [[1, 2, 3]], [30_000_000]):  # the first is “The rent is due.” elsewhere
        with pytest.raises(openai.BadRequestError, match="check_embedding_ctx_length=False"):
            client.embeddings.create(model=ENCODER, input=foreign)


def test_an_answer_ends_at_the_tokens_that_a_client_takes(client: openai.OpenAI) -> None:
    messages: list[openai.types.chat.ChatCompletionMessageParam] = [{"role": "user", "content": QUESTION}]
    whole = client.chat.completions.create(model="full", messages=messages, max_tokens=5_000).choices[0]
    assert whole.finish_reason == "stop"
    for limit in (1, 12, 40):
        cut = client.chat.completions.create(model="full", messages=messages, max_tokens=limit).choices[0]
        text = cut.message.content or ""
        assert (cut.finish_reason, estimate(text) <= limit) == ("length", True)
        assert (whole.message.content or "").startswith(text)
        assert all(each.url_citation.end_index <= len(text) for each in cut.message.annotations or [])
    parts = client.chat.completions.create(model="full", messages=messages, max_completion_tokens=12, stream=True)
    chunks = [chunk.choices[0] for chunk in parts]
    assert chunks[-1].finish_reason == "length"
    assert estimate("".join(chunk.delta.content or "" for chunk in chunks)) <= 12


def test_responses_have_the_same_answer(client: openai.OpenAI) -> None:
    chat = client.chat.completions.create(model="full", messages=[{"role": "user", "content": QUESTION}])
    response = client.responses.create(model="full", input=QUESTION, instructions="Answer like a pirate.")
    assert response.output_text == chat.choices[0].message.content
    assert (response.status, response.object, response.error) == ("completed", "response", None)
    message = response.output[-1]
    assert message.type == "message"
    [part] = message.content
    assert part.type == "output_text"
    [citation, *_] = part.annotations
    assert citation.type == "url_citation"
    assert part.text[citation.start_index : citation.end_index] == "[1]"
    assert isinstance(parse_link(citation.url), OpenLink)
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.total_tokens) == (0, 0)
    cut = client.responses.create(model="full", input=QUESTION, max_output_tokens=16)
    assert (cut.status, cut.incomplete_details and cut.incomplete_details.reason) == ("incomplete", "max_output_tokens")
    assert estimate(cut.output_text) <= 16


def test_responses_come_as_a_stream_of_events(client: openai.OpenAI) -> None:
    asked = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "input_text", "text": "Who owns the boat?"}]},
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Ada."}]},
        {"role": "user", "content": QUESTION},
    ]
    with client.responses.stream(model="full", input=asked) as stream:  # type: ignore[arg-type]
        events = list(stream)
        final = stream.get_final_response()
    assert [event.sequence_number for event in events] == list(range(len(events)))
    kinds = [event.type for event in events]
    assert kinds[:2] == ["response.created", "response.in_progress"]
    assert kinds[-1] == "response.completed"
    assert "Search" in "".join(e.delta for e in events if e.type == "response.reasoning_summary_text.delta")
    text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert text == final.output_text
    assert "1,200 euros" in text
    assert "response.output_text.annotation.added" in kinds
    assert [item.type for item in final.output] == ["reasoning", "message"]
    raw = client.responses.create(model="full", input=QUESTION, stream=True, max_output_tokens=5)
    assert list(raw)[-1].type == "response.incomplete"


@pytest.mark.parametrize(
    ("changes", "status", "param"),
    [
        ({"model": "gpt-9"}, 404, "model"),
        ({"input": None}, 400, "input"),
        ({"input": []}, 400, "input"),
        ({"input": [{"type": "item_reference", "id": "x"}]}, 400, "input[0]"),
        ({"input": [{"role": "user", "content": [{"type": "input_image"}]}]}, 400, "input[0].content"),
        ({"previous_response_id": "resp_1"}, 400, "previous_response_id"),
        ({"conversation": "conv_1"}, 400, "conversation"),
        ({"background": True}, 400, "background"),
        ({"text": {"format": {"type": "json_object"}}}, 400, "text.format"),
        ({"tool_choice": {"type": "function", "name": "x"}}, 400, "tool_choice"),
        ({"max_output_tokens": -1}, 400, "max_output_tokens"),
        ({"stream": 1}, 400, "stream"),
    ],
)
def test_a_bad_request_for_a_response_is_an_error_of_the_api(
    served: tuple[Object, psutil.Process], changes: Object, status: int, param: str
) -> None:
    body = json.dumps({"model": "full", "input": QUESTION, **changes}).encode()
    got, error = answered(served[0], "POST", "/v1/responses", body)
    told = error["error"]
    assert isinstance(told, dict)
    assert (got, told["param"]) == (status, param)


def test_a_page_of_this_computer_may_send_requests_and_read_replies(served: tuple[Object, psutil.Process]) -> None:
    told, _ = served
    place = urlsplit(str(told["address"]))

    def asked(method: str, **headers: str) -> http.client.HTTPResponse:
        with closing(http.client.HTTPConnection(str(place.hostname), place.port, timeout=60)) as connection:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, "/v1/models", None, sent)
            reply = connection.getresponse()
            reply.read()
            return reply

    wanted = {"Access_Control_Request_Method": "GET", "Access_Control_Request_Headers": "authorization"}
    page = "http://localhost:3000"
    before = asked("OPTIONS", Origin=page, **wanted)
    assert (before.status, before.headers["Access-Control-Allow-Origin"]) == (204, page)
    assert "authorization" in before.headers["Access-Control-Allow-Headers"].lower()
    reply = asked("GET", Origin=page, Authorization=f"Bearer {told['key']}")
    assert (reply.status, reply.headers["Access-Control-Allow-Origin"]) == (200, page)
    for headers in ({"Origin": "https://evil.example"}, {"Origin": page, "Host": "evil.example"}, {}):
        refused = asked("OPTIONS", **headers, **wanted)
        assert refused.status in (401, 403, 421)
        assert "evil" not in str(refused.headers)


def test_strangers_with_half_requests_keep_no_client_out(served: tuple[Object, psutil.Process]) -> None:
    """Connections that say nothing, drip their heads, or have no key, more than there is room for."""
    told, process = served
    place = ("127.0.0.1", urlsplit(str(told["address"])).port or 0)
    with ExitStack() as strangers:
        for number in range(MOST_WAITING + 60):
            stranger = strangers.enter_context(closing(socket.create_connection(place, timeout=60)))
            stranger.sendall(
                (b"", b"GET /v1/models HTTP/1.1\r\nHost: local", b"POST /v1/responses HTTP/1.1\r\n")[number % 3]
            )
            if number % 5 == 0:
                stranger.sendall(b"Authorization: Bearer wrong\r\nContent-Length: 4000000\r\n\r\n{")
        with ThreadPoolExecutor(16) as pool:
            codes = list(pool.map(lambda _: answered(told, "GET", "/v1/models")[0], range(100)))
    assert codes == [200] * 100
    assert process.num_threads() < 120


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_curl_gets_an_answer(served: tuple[Object, psutil.Process]) -> None:
    told, _ = served
    command = ["curl", "-sS", "-N", f"{told['address']}/chat/completions", "-H", "Content-Type: application/json"]
    command += ["-H", f"Authorization: Bearer {told['key']}", "-d", json.dumps({**ASK, "stream": True})]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    events = [line for line in ran.stdout.split("\n\n") if line]
    assert all(event.startswith("data: ") for event in events)
    assert events[-1] == "data: [DONE]"


CHAT = "/v1/chat/completions"


def asking(**changes: object) -> bytes:
    return json.dumps({**ASK, **changes}).encode()


@pytest.mark.parametrize(
    ("body", "status", "param"),
    [
        (b"", 400, None),
        (b"no json", 400, None),
        (b"[]", 400, None),
        (b"[" * 100_000, 400, None),
        (b'"\xff"', 400, None),
        (b"{}", 400, "model"),
        (asking(model="gpt-9"), 404, "model"),
        (asking(model="../../etc/passwd"), 404, "model"),
        (asking(model=7), 400, "model"),
        (asking(messages=[]), 400, "messages"),
        (asking(messages="hello"), 400, "messages"),
        (asking(messages=[7]), 400, "messages[0]"),
        (asking(messages=[{"role": "king", "content": "x"}]), 400, "messages[0]"),
        (asking(messages=[{"role": "user", "content": " "}]), 400, "messages"),
        (asking(messages=[{"role": "user", "content": {"a": 1}}]), 400, "messages[0].content"),
        (asking(messages=[{"role": "user", "content": [{"type": "image_url"}]}]), 400, "messages[0].content"),
        (asking(messages=[{"role": "user", "content": "x" * 100_001}]), 400, "messages[0].content"),
        (asking(messages=[{"role": "assistant", "content": "x"}]), 400, "messages"),
        (asking(messages=[{"role": "user", "content": "x"}] * 1_001), 400, "messages"),
        (asking(n=3), 400, "n"),
        (asking(stream="yes"), 400, "stream"),
        (asking(response_format={"type": "json_object"}), 400, "response_format"),
        (asking(response_format="text"), 400, "response_format"),
        (asking(tool_choice="required"), 400, "tool_choice"),
        (asking(max_tokens=0), 400, "max_tokens"),
        (asking(max_completion_tokens="ten"), 400, "max_completion_tokens"),
        (b" " * (MOST_BODY + 1), 413, None),
    ],
)
def test_a_bad_body_is_an_error_of_the_api(
    served: tuple[Object, psutil.Process], body: bytes, status: int, param: str | None
) -> None:
    got, error = answered(served[0], "POST", CHAT, body)
    assert got == status
    told = error["error"]
    assert isinstance(told, dict)
    assert set(told) == {"message", "type", "param", "code"}
    assert (told["type"], told["param"]) == ("invalid_request_error", param)


@pytest.mark.parametrize(
    "changes", [{"input": []}, {"input": [[1, 2]]}, {"input": [9906, True]}, {"input": [[-1]]}, {"input": ["x", []]},
                {"input": ""}, {"input": ["x"] * 257}, {"input": None},
                {"input": "x", "dimensions": 7}, {"input": "x", "encoding_format": "hex"}]
)  # fmt: skip
def test_a_bad_request_for_vectors_is_an_error(served: tuple[Object, psutil.Process], changes: Object) -> None:
    got, error = answered(served[0], "POST", "/v1/embeddings", json.dumps({"model": ENCODER, **changes}).encode())
    assert (got, list(error)) == (400, ["error"])


def test_vectors_of_another_model_are_refused_by_name(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match=f"“{ENCODER}” only"):
        client.embeddings.create(model="text-embedding-3-small", input="rent")


def test_only_clients_with_the_key_on_this_computer_are_answered(served: tuple[Object, psutil.Process]) -> None:
    told, _ = served
    assert answered(told, "GET", "/v1/models")[0] == 200
    assert answered(told, "GET", "/v1/models", Authorization="")[0] == 401
    assert answered(told, "GET", "/v1/models", Authorization="Bearer wrong")[0] == 401
    assert answered(told, "POST", CHAT, asking(), Authorization=f"Bearer {told['key']}x")[0] == 401
    assert answered(told, "GET", "/v1/models", Host="evil.example")[0] == 421
    for host in ("[evil", "127.0.0.1/evil", "127.0.0.1?.evil", "127.0.0.1, evil.example", "evil.example\\@127.0.0.1"):
        assert answered(told, "GET", "/v1/models", Host=host)[0] == 421
    assert answered(told, "GET", "/v1/models", Origin="https://evil.example")[0] == 403
    assert answered(told, "GET", "/v1/models", Origin="null")[0] == 403
    assert answered(told, "GET", "/v1/models", Origin="http://localhost:3000")[0] == 200
    for origin in ("http://127.0.0.1", "https://[::1]:8443", "app://obsidian.md", "tauri://localhost", "file://"):
        assert answered(told, "GET", "/v1/models", Origin=origin)[0] == 200, origin
        assert answered(told, "GET", "/v1/models", Origin=origin, Authorization="")[0] == 401, origin
    for origin in ("http://localhost.evil.example", "https://127.0.0.1@evil.example", "ws://evil.example", "evil"):
        assert answered(told, "GET", "/v1/models", Origin=origin)[0] == 403, origin
    assert answered(told, "GET", "/v1/files")[0] == 404
    assert answered(told, "GET", CHAT)[0] == 405
    with pytest.raises(openai.AuthenticationError):
        openai.OpenAI(base_url=str(told["address"]), api_key="wrong", max_retries=0).models.list()


def test_garbage_and_half_requests_harm_nobody(served: tuple[Object, psutil.Process]) -> None:
    told, _ = served
    place = ("127.0.0.1", urlsplit(str(told["address"])).port or 0)
    key = str(told["key"]).encode()
    head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key + b"\r\n"
    for sent in (
        b"\x00\xff\x16\x03\x01\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        head + b"Content-Length: -1\r\n\r\n",
        head + b"Host: evil.example\r\nContent-Length: 2\r\n\r\n{}",
        head + b"Content-Length: 999999999999999999999\r\n\r\n",
        head + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        head + b"A: b\r\n" * 1_000 + b"\r\n",
    ):
        with closing(socket.create_connection(place, timeout=60)) as connection:
            connection.sendall(sent)
            assert b'{"error"' in connection.makefile("rb").read()
    for _ in range(50):
        with closing(socket.create_connection(place, timeout=60)) as connection:
            connection.sendall(head + b"Content-Length: 1000\r\n\r\n{")
    assert answered(told, "GET", "/v1/models")[0] == 200


@pytest.mark.slow
def test_earlier_turns_are_told_to_the_model_and_a_gone_client_stops_its_run(copied: Program) -> None:
    hold = threading.Event()
    messages = [
        {"role": "system", "content": "You are a pirate."},
        {"role": "user", "content": "Who owns the boat?"},
        {"role": "assistant", "content": "The boat belongs to Ada."},
        {"role": "user", "content": "And since when?"},
    ]
    with ScriptedEndpoint([Turn(text=["It "], hold=hold)]) as endpoint:
        with serving(with_profile(copied, endpoint.base_url)) as (told, _):
            place = urlsplit(str(told["address"]))
            connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=60)
            headers = {"Authorization": f"Bearer {told['key']}"}
            connection.request("POST", CHAT, asking(messages=messages), headers)
            deadline = time.monotonic() + 30
            while not endpoint.requests and time.monotonic() < deadline:
                endpoint.disconnected.wait(0.05)
            assert not endpoint.disconnected.is_set()
            connection.close()
            assert endpoint.disconnected.wait(60)
        asked = json.dumps(endpoint.requests[-1].messages)
    assert "The boat belongs to Ada." in asked
    assert "And since when?" in asked
    assert "pirate" not in asked


def test_the_tokens_that_a_client_takes_limit_what_the_endpoint_writes(copied: Program) -> None:
    search = Turn(calls=[Call("search", '{"queries": ["rent"]}')])
    with (
        ScriptedEndpoint(
            [search, *[Turn(text=["The rent is 1,250 euros a month [turn1search1 L5]."])] * 3]
        ) as endpoint,
        serving(with_profile(copied, endpoint.base_url)) as (told, _),
    ):
        answered(told, "POST", CHAT, asking(model="full", max_tokens=20))
        steps = [request.body for request in endpoint.requests if request.body.get("tools")]
    assert len(steps) > 1
    assert {body.get("max_tokens", body.get("max_completion_tokens")) for body in steps} == {LEAST_TURN}


def test_what_the_cited_lines_do_not_support_stands_below_the_answer(copied: Program) -> None:
    lie = "The rent is 1,300 euros a month [turn1search1 L5]. It is due on the third working day [turn1search1 L5]."
    search = Turn(calls=[Call("search", '{"queries": ["rent"]}')])
    with (
        ScriptedEndpoint([search, *[Turn(text=[lie])] * 3]) as endpoint,
        serving(with_profile(copied, endpoint.base_url)) as (told, _),
    ):
        _, reply = answered(told, "POST", CHAT, asking(model="full"))
    text = json.dumps(reply, ensure_ascii=False)
    _, _, below = text.partition("Statements to look at:")
    assert "The rent is 1,300 euros a month" in below.partition("Sources:")[0]
    assert "1 where the lines seem to say otherwise" in below


@pytest.mark.slow
@pytest.mark.parametrize("stream", [True, False])
def test_a_client_is_told_when_the_server_is_ended_during_its_run(copied: Program, stream: bool) -> None:
    replies = list[bytes]()
    with (
        ScriptedEndpoint([Turn(text=["It "], hold=threading.Event())]) as endpoint,
        serving(with_profile(copied, endpoint.base_url)) as (told, process),
        closing(http.client.HTTPConnection("127.0.0.1", urlsplit(str(told["address"])).port, timeout=60)) as connection,
    ):
        connection.request("POST", CHAT, asking(stream=stream), {"Authorization": f"Bearer {told['key']}"})
        reading = threading.Thread(target=lambda: replies.append(connection.getresponse().read()))
        reading.start()
        while not endpoint.requests and reading.is_alive():
            endpoint.disconnected.wait(0.05)
        process.send_signal(signal.SIGINT)
        reading.join(60)
    assert "Desktop RAG was ended" in replies[0].decode()


@pytest.mark.slow
def test_streams_that_the_client_closes_free_their_runs_and_their_turn(copied: Program) -> None:
    hold = threading.Event()
    held, free = Turn(text=["It "], hold=hold), Turn(text=["Six months."])
    with (
        ScriptedEndpoint([*[held] * RUNS, *[free] * 3]) as endpoint,
        serving(with_profile(copied, endpoint.base_url)) as (told, _),
        openai.OpenAI(base_url=str(told["address"]), api_key=str(told["key"]), max_retries=0, timeout=60) as client,
    ):

        def ask(question: str) -> openai.Stream[openai.types.chat.ChatCompletionChunk]:
            messages: list[openai.types.chat.ChatCompletionMessageParam] = [{"role": "user", "content": question}]
            return client.chat.completions.create(model="direct", messages=messages, stream=True)

        running = [ask(f"Held {number}?") for number in range(RUNS)]
        deadline = time.monotonic() + 30
        while len(endpoint.requests) < RUNS and time.monotonic() < deadline:
            threading.Event().wait(0.05)
        waiting, last = ask("Given up?"), ask("How long is the notice?")
        waiting.close()
        running[0].close()
        assert "Six months" in "".join(part.choices[0].delta.content or "" for part in last if part.choices)
        asked = " ".join(json.dumps(request.messages) for request in endpoint.requests)
        hold.set()
        for stream in running:
            stream.close()
    assert "Held 3?" in asked
    assert "Given up?" not in asked


def test_a_failed_endpoint_is_told_also_in_a_stream(copied: Program) -> None:
    with (
        ScriptedEndpoint(key="sk-right") as endpoint,
        serving(with_profile(copied, endpoint.base_url)) as (told, _),
        openai.OpenAI(base_url=str(told["address"]), api_key=str(told["key"]), max_retries=0) as client,
    ):
        status, error = answered(told, "POST", CHAT, asking())
        assert status == 502
        assert "asks for a key" in json.dumps(error)
        parts = client.chat.completions.create(
            model="full", messages=[{"role": "user", "content": QUESTION}], stream=True
        )
        with pytest.raises(openai.APIError, match="asks for a key"):
            list(parts)


@pytest.mark.slow
def test_a_hundred_clients_at_once_get_answers_and_memory_stays_flat(
    served: tuple[Object, psutil.Process],
) -> None:
    told, process = served

    def ask(number: int) -> int:
        body = asking(stream=bool(number % 2)) if number % 4 < 2 else None
        if body is None:
            return answered(told, "POST", "/v1/embeddings", json.dumps({"model": ENCODER, "input": "rent"}).encode())[0]
        parts = urlsplit(str(told["address"]))
        with closing(http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=120)) as connection:
            connection.request("POST", CHAT, body, {"Authorization": f"Bearer {told['key']}"})
            reply = connection.getresponse()
            assert b"euros" in reply.read()
            return reply.status

    def memory() -> int:
        return int(process.memory_info().rss)

    with ThreadPoolExecutor(100) as pool:
        assert set(pool.map(ask, range(100))) == {200}
        before = memory()
        assert set(pool.map(ask, range(200))) == {200}
    assert memory() < before + 40_000_000
    deadline = time.monotonic() + 20
    while process.num_threads() > 60 and time.monotonic() < deadline:
        threading.Event().wait(0.1)
    assert process.num_threads() <= 60


@pytest.mark.parametrize("key", ["short", "ключ" * 8])
def test_a_key_that_cannot_be_used_is_refused(indexed: Program, key: str) -> None:
    ran = indexed.run("serve", DESKTOP_RAG_SERVE_KEY=key)
    assert ran.code == 1
    assert "plain characters" in ran.err


def test_an_unknown_profile_and_a_used_port_are_told(indexed: Program) -> None:
    assert "no model called" in indexed.run("serve", "--profile", "none").err
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = indexed.run("serve", "--port", str(port))
    assert ran.code == 1
    assert f"Port {port} is in use by another program. Choose another one, or 0 for any that is free." in ran.err
