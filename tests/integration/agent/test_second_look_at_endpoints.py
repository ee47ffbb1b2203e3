"""The second look and the repair on the wire of a real endpoint: what is sent, what may go wrong, and what it costs."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.agent.budget import Prices, Purse, Spending
from desktop_rag.agent.events import AgentEvent, Answered, AnswerWritten, ContextMeasured, Thought
from desktop_rag.agent.gate.sent_ledger import SentLedger
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.cited_text import CheckedText, check_cited_text
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.run.model_choice import chat_model
from desktop_rag.agent.run.text_judge import TextJudge, judge_of
from desktop_rag.agent.run.usual_run import RunModels
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.paths import settings_file
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits, MoneyLimits, PrivacyOptions, Profile, Settings, save
from desktop_rag.stop import Stop
from tests.endpoint import Call, ScriptedEndpoint, ScriptEntry, SeenRequest
from tests.endpoint import Turn as Reply
from tests.integration.agent.gated_runs import library_of
from tests.integration.retrieval.conftest import SmallLibrary

FILES = {
    "rent.md": "# Rent\n\nThe rent is 900 euros a month.\n\nThe account is DE89370400440532013000.\n",
    "garage.md": "# Garage\n\nThe garage costs 50 euros a month.\n",
}
SEARCH = Reply(calls=[Call("search", '{"queries": ["rent month"]}')])
ANSWER = Reply(text="Each month 900 euros are owed. [rent.md, line 3]")
READ = Reply(text='1. says "rent is 900 euros a month"')
REFUSED = Reply(text="1. silent")


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallLibrary]:
    with library_of(FILES, tmp_path, monkeypatch) as library:
        yield library


@pytest.fixture
def engine(library: SmallLibrary) -> Iterator[SearchEngine]:
    engine = SearchEngine(library.layout.folder)
    yield engine
    engine.close()


def run(
    engine: SearchEngine,
    script: Sequence[ScriptEntry],
    *,
    stop: Stop | None = None,
    on_written: Callable[[], None] = lambda: None,
    purse: Purse | None = None,
    refuses: dict[str, str] | None = None,
    limits: Limits | None = None,
) -> tuple[list[AgentEvent], ScriptedEndpoint]:
    """Ask with a second look; `on_written` is called when the answer stands."""
    with ScriptedEndpoint(script, scripted_looks=True, refuses=refuses) as endpoint:
        model = chat_model(Profile("test", endpoint.base_url, "scripted"), "", remembered=False)
        events: list[AgentEvent] = []
        kit, limits, stop = toolkit("full"), limits or Limits(), stop or Stop()
        for event in answer(
            Question("What is the rent?"), Run(kit, model, engine, stop, limits, second_look=True, purse=purse)
        ):
            events.append(event)
            if isinstance(event, AnswerWritten):
                on_written()
        return events, endpoint


def last_of(events: Sequence[AgentEvent]) -> Answered:
    last = events[-1]
    assert isinstance(last, Answered), last
    return last


def marks(events: Sequence[AgentEvent]) -> list[str]:
    return [claim.mark for claim in last_of(events).claims]


def thoughts(events: Sequence[AgentEvent]) -> str:
    return " ".join(event.text for event in events if isinstance(event, Thought))


def test_the_judgment_comes_as_json_where_the_endpoint_can_do_that(engine: SearchEngine) -> None:
    judged = json.dumps({"1": {"judgment": "says", "words": "900 euros a month"}})
    events, endpoint = run(engine, [SEARCH, ANSWER, Reply(text=judged)])
    assert marks(events) == ["read"]
    look = endpoint.requests[-1]
    assert look.is_look
    assert "json_schema" in json.dumps(look.body["response_format"])
    assert "tools" not in look.body
    assert len(look.messages) == 2


def test_an_endpoint_that_refuses_a_schema_is_asked_without_one(engine: SearchEngine) -> None:
    refuses = {"response_format": "response_format: json_schema is not supported"}
    events, endpoint = run(engine, [SEARCH, ANSWER, READ], refuses=refuses)
    assert marks(events) == ["read"]
    assert [("response_format" in each.body) for each in endpoint.requests[-2:]] == [True, False]


def test_stop_during_the_look_keeps_the_answer(engine: SearchEngine) -> None:
    stop = Stop()
    waits = threading.Event()  # is never set: the endpoint keeps its reply back

    def end_soon() -> None:
        threading.Timer(0.2, stop.set).start()

    started = time.monotonic()
    events, _ = run(engine, [SEARCH, ANSWER, Reply(text="1. silent", hold=waits)], stop=stop, on_written=end_soon)
    assert time.monotonic() - started < 30
    [written] = [event for event in events if isinstance(event, AnswerWritten)]
    last = last_of(events)
    assert (last.text, last.citations, last.claims) == (written.text, written.citations, written.claims)
    assert last.found


@pytest.mark.parametrize(
    "broken",
    [
        Reply(text=["1. si", "lent"], cut=True),
        Reply(text="1. silent", error="overloaded"),
        Reply(status=400, body='{"error": {"message": "no"}}'),
        Reply(text=["1. maybe "] * 20_000),
        Reply(text=[f"{n}. perhaps {n * n}\n" for n in range(40_000)]),
        Reply(),
    ],
    ids=["cut", "error", "refused", "repeating", "endless", "empty"],
)
def test_a_look_that_breaks_changes_nothing(engine: SearchEngine, broken: Reply) -> None:
    script = [SEARCH, ANSWER, *[broken] * 8]
    events, _ = run(engine, script)
    assert last_of(events).text.startswith("Each month 900 euros are owed.")
    assert marks(events)[0] not in ("read", "silent", "otherwise")


def test_offline_no_look_is_made(engine: SearchEngine) -> None:
    def go_offline() -> None:
        save(settings_file(), Settings(privacy=PrivacyOptions(offline=True)))

    with ScriptedEndpoint([SEARCH, ANSWER, REFUSED], scripted_looks=True) as endpoint:
        away = endpoint.base_url.replace("127.0.0.1", "localhost.localdomain")
        profile = Profile("away", away, "scripted")
        models = RunModels(profile, chat_model(profile, "", remembered=False))
        go_offline()
        judge = TextJudge(models, None, Spending(settings_file().with_name("spent.json")))
        checked = _checked(engine, judge)
        assert endpoint.all_requests == []
    assert "offline" in judge.trouble.casefold()
    assert checked.claims[0].judgment is None


def test_a_document_that_is_never_sent_meanwhile_is_not_looked_at(engine: SearchEngine, library: SmallLibrary) -> None:
    def mark() -> None:
        path = str(library.files / "home" / "rent.md")
        save(settings_file(), Settings(privacy=PrivacyOptions(never_send=(path,))))

    events, endpoint = run(engine, [SEARCH, ANSWER, REFUSED], on_written=mark)
    assert not any(each.is_look for each in endpoint.requests)
    assert "marked as never sent" in thoughts(events)
    assert last_of(events).text.startswith("Each month")


def test_what_is_masked_stays_masked_in_the_look(engine: SearchEngine) -> None:
    script = [SEARCH, Reply(text="The account is at a bank in Germany. [rent.md, line 5]"), Reply(text="1. silent")]
    _, endpoint = run(engine, [*script, Reply(text="1. -")])
    look = next(each for each in endpoint.requests if each.is_look)
    assert "DE89370400440532013000" not in look.last_text
    assert "The account is {{" in look.last_text
    assert all("DE893704" not in json.dumps(each.body) for each in endpoint.requests)


def test_the_lines_of_the_look_are_in_the_record_of_what_was_sent(engine: SearchEngine) -> None:
    run(engine, [SEARCH, ANSWER, READ])
    assert [row.path.endswith("rent.md") for row in SentLedger().rows() if row.path][-1:] == [True]
    assert len(SentLedger().rows()) >= 3


def test_no_look_is_made_beyond_the_limit_on_money(engine: SearchEngine) -> None:
    spent: list[float] = []

    def left(run: float) -> float:
        spent.append(run)
        return 0.01 if len(spent) > 2 else 1e9  # the search and the answer are paid

    events, endpoint = run(engine, [SEARCH, ANSWER, REFUSED], purse=Purse(Prices(1_000.0, 1_000.0), left))
    assert spent[-1] > 0
    assert not any(each.is_look for each in endpoint.requests)
    assert "is left of your limit" in thoughts(events)


def test_the_tokens_of_look_and_repair_are_in_the_meter(engine: SearchEngine) -> None:
    repaired = Reply(text="1. The rent is 900 euros a month. [rent.md, line 3]", usage=(300, 20))
    look = Reply(text='1. contradicts "900 euros a month"', usage=(400, 11))
    script = [SEARCH, Reply(text="Every year 900 euros are owed. [rent.md, line 3]"), look, repaired, READ]
    events, endpoint = run(engine, script)
    last = last_of(events)
    assert last.text == "The rent is 900 euros a month. [1](cite:1)"
    assert marks(events)[0] in ("read", "quoted")
    assert last.usage.requests == len(endpoint.requests)
    measured = [event.usage.tokens for event in events if isinstance(event, ContextMeasured)]
    assert measured[-1] == last.usage.tokens
    repair = endpoint.requests[3]
    assert len(repair.messages) == 2
    assert "Wrong: the lines say “900 euros a month”." in repair.last_text
    assert "What is the rent?" not in repair.last_text


def test_thirty_statements_are_compared_in_two_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "\n\n".join(f"Device {n} weighs {n * 7 + 300} grams." for n in range(1, 31))

    def judge(request: SeenRequest) -> Reply:
        listed = [line for line in request.last_text.splitlines() if " has a mass of " in line]
        numbers = [line.split(" g")[0].rpartition(" ")[2] for line in listed if line[:1].isdigit()]
        return Reply(text="\n".join(f'{n}. says "weighs {mass} grams"' for n, mass in enumerate(numbers, 1)))

    text = "\n".join(
        f"- Number {n} has a mass of {n * 7 + 300} g. [devices.md, line {2 * n - 1}]" for n in range(1, 31)
    )
    with library_of({"devices.md": lines}, tmp_path, monkeypatch) as library:
        engine = SearchEngine(library.layout.folder)
        opened = Reply(calls=[Call("open", '{"reference": "turn1search1", "line": 1}')])
        script: list[ScriptEntry] = [
            Reply(calls=[Call("search", '{"queries": ["device weighs"]}')]),
            opened,
            Reply(text=text),
            judge,
            judge,
        ]
        events, endpoint = run(engine, script)
        engine.close()
    assert marks(events) == ["read"] * 30
    assert sum(each.is_look for each in endpoint.requests) == 2


def _checked(engine: SearchEngine, judge: TextJudge | None) -> CheckedText:
    text = "Each month 900 euros are owed [rent.md, line 3]. The garage is dear [garage.md, line 3]."
    return check_cited_text(text, engine, Stop(), judge=judge)


def test_a_text_from_elsewhere_is_compared_by_the_chosen_model(engine: SearchEngine) -> None:
    with ScriptedEndpoint(
        [Reply(text='1. says "900 euros a month"\n2. contradicts "50 euros a month"')], scripted_looks=True
    ) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted", price_in=1.0, price_out=1.0)
        settings = Settings(profiles=(profile,), active_profile="test")
        checked = _checked(engine, judge_of(settings))
        [look] = endpoint.requests
    assert [claim.mark for claim in checked.claims] == ["read", "otherwise"]
    assert look.is_look
    assert judge_of(replace(settings, second_look=False)) is None
    assert judge_of(Settings()) is None


def test_documents_that_are_never_sent_are_left_out_of_a_text(engine: SearchEngine, library: SmallLibrary) -> None:
    never = PrivacyOptions(never_send=(str(library.files / "home" / "garage.md"),))
    with ScriptedEndpoint([Reply(text='1. says "900 euros a month"')], scripted_looks=True) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted")
        settings = Settings(profiles=(profile,), active_profile="test", privacy=never)
        save(settings_file(), settings)
        checked = _checked(engine, judge_of(settings))
        [look] = endpoint.requests
    assert checked.claims[0].mark == "read"
    assert checked.claims[1].judgment is None
    assert "garage" not in look.last_text.casefold()


def test_a_text_is_not_compared_beyond_the_limit_on_money(engine: SearchEngine) -> None:
    with ScriptedEndpoint([REFUSED], scripted_looks=True) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted", price_in=1_000.0, price_out=1_000.0)
        money = MoneyLimits(run=0.001)
        judge = judge_of(Settings(profiles=(profile,), active_profile="test", money=money))
        checked = _checked(engine, judge)
        assert endpoint.all_requests == []
    assert judge is not None
    assert "is left of your limit" in judge.trouble
    assert all(claim.judgment is None for claim in checked.claims)
