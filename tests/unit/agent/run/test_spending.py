"""Money: counted by day over restarts, and asked about before a limit is passed."""

import re
from datetime import date
from pathlib import Path

import pytest

from desktop_rag.agent.budget import Prices, Purse, Spending, Spent, count_spending, purse_of
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    ContextMeasured,
    ContextUse,
    LimitAsked,
    LimitReached,
    Remark,
    Routed,
    RunFailed,
    RunUsage,
)
from desktop_rag.agent.feedback import Feedback
from desktop_rag.errors import Stopped, StreamCut
from desktop_rag.llm.chat import TokenUsage
from desktop_rag.settings import MoneyLimits, Profile
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel
from tests.unit.agent.run.test_loop import ANSWER, SEARCH, of

USE = ContextUse(1, 1, 1, 1, 10, estimated=False)
TODAY = date(2026, 11, 22)


def test_days_and_months_add_up_over_restarts(tmp_path: Path) -> None:
    spending = Spending(tmp_path / "data" / "spending.json")
    for day, amount in ((date(2026, 10, 31), 5.0), (date(2026, 11, 1), 1.0), (TODAY, 0.25), (TODAY, 0.5)):
        spending.add(amount, day)
    assert spending.spent(TODAY) == Spent(0.75, 1.75)
    assert Spending(tmp_path / "data" / "spending.json").load(TODAY) == Spent(0.75, 1.75)


def test_two_processes_count_together(tmp_path: Path) -> None:
    one, other = Spending(tmp_path / "spending.json"), Spending(tmp_path / "spending.json")
    one.add(1.0, TODAY)
    other.add(2.0, TODAY)
    one.add(4.0, TODAY)
    assert one.spent(TODAY) == Spent(7.0, 7.0)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"2026-11-22": "much"}'])
def test_a_damaged_file_is_begun_anew(tmp_path: Path, text: str) -> None:
    file = tmp_path / "spending.json"
    file.write_text(text)
    spending = Spending(file)
    assert spending.load(TODAY) == Spent(0.0, 0.0)
    spending.add(1.0, TODAY)
    assert Spending(file).load(TODAY) == Spent(1.0, 1.0)


def test_money_counts_even_if_it_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "blocker").write_text("")
    spending = Spending(tmp_path / "blocker" / "spending.json")
    spending.add(1.0, TODAY)
    assert spending.spent(TODAY) == Spent(1.0, 1.0)


def test_the_nearest_limit_counts(tmp_path: Path) -> None:
    spending = Spending(tmp_path / "spending.json")
    spending.add(3.0, date(2026, 11, 1))
    spending.add(1.0, TODAY)
    assert spending.left(MoneyLimits(), TODAY) is None
    assert spending.left(MoneyLimits(day=2.5), TODAY) == 1.5
    assert spending.left(MoneyLimits(day=2.5, month=4.5), TODAY) == 0.5


def test_every_request_of_a_run_is_counted_once(tmp_path: Path) -> None:
    profile = Profile("Office", "http://localhost", "large", fast_model="small", price_in=2.0, fast_price_in=1.0)
    usages = [RunUsage(100, 10, 1, estimated=False, money=amount) for amount in (0.5, 0.5, 1.25)]
    routed = Routed("quick", "", "", (), "small", RunUsage(1_000_000, 0, 1, estimated=False), 0.1)
    events: list[AgentEvent] = [routed, *(ContextMeasured(USE, usage) for usage in usages)]
    events.append(Answered("", (), USE, usages[-1], 1.0, 1, found=True))
    spending = Spending(tmp_path / "spending.json")
    assert list(count_spending(events, profile, spending)) == events
    assert spending.spent().day == 1.0 + 1.25


def test_a_profile_without_prices_has_no_purse(tmp_path: Path) -> None:
    spending = Spending(tmp_path / "spending.json")
    assert purse_of(None, spending, MoneyLimits(day=1.0)) is None
    assert purse_of(Profile("Office", "http://localhost", "large"), spending, MoneyLimits(day=1.0)) is None


def _model() -> ScriptedModel:
    counted = TokenUsage(1_000, 100)
    return ScriptedModel([Says(calls=(SEARCH,), usage=counted), Says(ANSWER, usage=counted)])


def _purse(*left: float) -> Purse:
    amounts = list(left)
    return Purse(Prices(1_000.0, 1_000.0), lambda _: amounts.pop(0) if len(amounts) > 1 else amounts[0])


def test_the_usage_of_a_run_has_its_money(library: FakeRetriever) -> None:
    answered = Asker(library, _model(), purse=Purse(Prices(2.0, 10.0))).answer("When is rent payable?")
    assert answered.usage.money == pytest.approx((2_000 * 2.0 + 200 * 10.0) / 1e6)


def test_you_are_asked_once_before_the_limit_is_passed(library: FakeRetriever) -> None:
    feedback, model, events = Feedback(asks=True), _model(), list[AgentEvent]()
    for event in Asker(library, model, feedback=feedback, purse=_purse(0.001)).events("When is rent payable?"):
        events.append(event)
        if isinstance(event, LimitAsked):
            assert (event.limit, event.until_ns, model.requests) == ("money", 0, [])
            feedback.decide(allowed=True)
    [asked] = of(events, LimitAsked)
    assert re.fullmatch(r"The next request may cost \d+\.\d\d; 0\.0010 is left of your limit\.", asked.message)
    assert [remark.kind for remark in of(events, Remark)] == ["extended"]
    assert isinstance(events[-1], Answered)
    assert len(model.requests) == 2


def test_declined_the_run_quotes_what_was_read_and_sends_nothing(library: FakeRetriever) -> None:
    feedback, model, events = Feedback(asks=True), _model(), list[AgentEvent]()
    for event in Asker(library, model, feedback=feedback, purse=_purse(100.0, 0.001)).events("When is rent payable?"):
        events.append(event)
        if isinstance(event, LimitAsked):
            feedback.decide(allowed=False)
    assert [reached.limit for reached in of(events, LimitReached)] == ["money"]
    (answered,) = of(events, Answered)
    assert "third working day" in answered.text
    assert answered.citations
    assert len(model.requests) == 1


def test_with_nobody_to_ask_no_request_passes_the_limit(library: FakeRetriever) -> None:
    model = _model()
    failed = Asker(library, model, purse=_purse(0.0)).ask("When is rent payable?")[-1]
    assert isinstance(failed, RunFailed)
    assert failed.title == "Your limit on money is reached"
    assert model.requests == []


def test_the_limit_of_a_run_counts_what_the_run_has_cost(tmp_path: Path) -> None:
    spending = Spending(tmp_path / "spending.json")
    spending.add(4.0)
    profile = Profile("p", "http://127.0.0.1:9/v1", "m", price_in=1.0, price_out=1.0)
    purse = purse_of(profile, spending, MoneyLimits(run=0.5))
    assert purse is not None
    assert purse.left(0.0) == 0.5  # what other runs have cost does not count
    assert purse.left(0.75) == -0.25
    purse = purse_of(profile, spending, MoneyLimits(day=4.1, run=0.5))
    assert purse is not None
    assert purse.left(0.0) == pytest.approx(0.1)
    purse = purse_of(profile, spending, MoneyLimits())
    assert purse is not None
    assert purse.left(9.0) is None


@pytest.mark.parametrize("ending", ["cut", "stopped", "repetition"])
def test_a_turn_that_does_not_end_is_estimated_and_counted(library: FakeRetriever, tmp_path: Path, ending: str) -> None:
    profile = Profile("Office", "http://localhost", "large", price_in=2.0, price_out=4.0)
    spending = Spending(tmp_path / "spending.json")
    said = {
        "cut": Says("Half of an answer", error=StreamCut("Gone.")),
        "stopped": Says("Half of an answer", error=Stopped()),
        "repetition": Says(("Half of an answer. ",) * 2_000),
    }[ending]
    model = ScriptedModel([Says(calls=(SEARCH,), usage=TokenUsage(1_000, 10)), said])
    asker = Asker(library, model, purse=purse_of(profile, spending, MoneyLimits()))
    events = list(count_spending(asker.events("When?"), profile, spending))
    measured = of(events, ContextMeasured)
    before = next(each.usage for each in measured if each.usage.requests == 1)
    last = next(each.usage for each in measured if each.usage.requests == 2)
    assert last.estimated
    assert last.prompt_tokens > before.prompt_tokens + 500
    assert last.completion_tokens > before.completion_tokens
    assert last.money is not None
    assert spending.spent().day == pytest.approx(measured[-1].usage.money)
