import os
import stat
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import apsw
import msgspec
import pytest

from desktop_rag.agent.citations.marks import count_claims
from desktop_rag.agent.conversations import conversation_store
from desktop_rag.agent.conversations.conversation_store import ConversationStore, merge_deltas
from desktop_rag.agent.conversations.erasing import ERASED, Forgotten
from desktop_rag.agent.conversations.transcript import (
    NEW,
    WHOLE_LIBRARY,
    ChosenScope,
    Conversation,
    ConversationId,
    RunStatus,
    Turn,
)
from desktop_rag.agent.events import AnswerDelta, Answered, Claim, RunStarted, ToolReturned
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.errors import ConversationError, LibraryError
from tests.integration.agent.conversations.conftest import damage, fill, titles
from tests.unit.agent.conftest import Asker, FakeRetriever, document


def test_loading_decodes_no_turn_before_somebody_looks_at_it(
    path: Path, turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(ConversationStore(path)) as store:
        number = store.begin(turn.question)
        for place in range(1, 31):
            store.save(number, replace(turn, number=place, follows=place - 1))
    decoded: list[bytes] = []

    def seen(data: bytes) -> bytes:
        decoded.append(data)
        return data

    monkeypatch.setattr(conversation_store, "renew_claims", seen)
    with closing(ConversationStore(path)) as store:
        loaded = store.load(number)
        assert [each.number for each in loaded.turns] == list(range(1, 31))
        assert loaded.variants == tuple((place,) for place in range(1, 31))
        assert not decoded
        assert tuple(loaded.turns[-1].events) == tuple(merge_deltas(turn.events))
        assert len(decoded) == len(loaded.turns[-1].events)
        assert loaded.turns[3].events == loaded.turns[-1].events
        assert loaded.turns[3] != loaded.turns[-1]


def test_a_run_is_loaded_as_it_was_saved(path: Path, turn: Turn) -> None:
    with closing(ConversationStore(path)) as store:
        conversation = store.begin(turn.question)
        store.save(conversation, turn)
    with closing(ConversationStore(path)) as store:
        [summary] = store.summaries()
        assert (summary.title, summary.turns) == ("When does the lease end?", 1)
        [kept] = store.load(summary.id).turns
    assert isinstance(kept.events[-1], Answered)
    assert kept.events[-1] == turn.events[-1]
    assert [e for e in kept.events if isinstance(e, RunStarted | ToolReturned)] == [
        e for e in turn.events if isinstance(e, RunStarted | ToolReturned)
    ]
    assert (kept.number, kept.question, kept.asked_ns) == (1, turn.question, 17)


def test_saving_a_turn_again_replaces_it(path: Path, turn: Turn) -> None:
    with closing(ConversationStore(path)) as store:
        conversation = store.begin("q")
        store.save(conversation, Turn(1, "q", (AnswerDelta("a"),), 1))
        store.save(conversation, turn)
        assert len(store.load(conversation).turns) == 1
        assert len(store.load(conversation).turns[0].events) > 1


def test_the_last_updated_conversation_comes_first(path: Path, turn: Turn) -> None:
    with closing(ConversationStore(path)) as store:
        first, second = store.begin("first"), store.begin("second\n question")
        assert [summary.title for summary in store.summaries()] == ["second question", "first"]
        store.save(first, turn)
        assert [summary.id for summary in store.summaries()] == [first, second]


def test_a_conversation_is_renamed_and_deleted(path: Path, turn: Turn) -> None:
    with closing(ConversationStore(path)) as store:
        conversation = store.begin("q")
        store.save(conversation, turn)
        store.rename(conversation, " Rent  of\nthe flat ")
        store.rename(conversation, "  ")
        assert store.summaries()[0].title == "Rent of the flat"
        store.delete(conversation)
        assert store.summaries() == ()
        assert store.load(conversation) == Conversation()


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_the_file_is_readable_only_by_its_owner(path: Path) -> None:
    fill(path, "one", "two")
    with closing(ConversationStore(path)) as store:
        store.begin("three")
        files = [file for file in path.parent.iterdir() if file.is_file()]
        assert len(files) >= 4
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


STEPS_BACK = {1: "DROP TABLE citation;", 2: "", 3: "CREATE TABLE scope (conversation INTEGER PRIMARY KEY, data BLOB);"}


@pytest.mark.parametrize("version", sorted(STEPS_BACK))
def test_files_of_every_earlier_version_are_migrated(path: Path, version: int) -> None:
    path.parent.mkdir()
    with closing(apsw.Connection(str(path))) as db:
        db.execute(Path(__file__).with_name("conversations_version_2.sql").read_text(encoding="utf-8"))
        db.execute(f"{STEPS_BACK[version]} PRAGMA user_version = {version}")
    with closing(ConversationStore(path)) as store:
        assert store.notice == ""
        states = {summary.title: (summary.state, summary.turns) for summary in store.summaries()}
        assert states == {
            "When does the lease end?": (RunStatus.ANSWERED, 1),
            "Who pays the Müllabfuhr?": (RunStatus.INTERRUPTED, 2),
        }
        (lease,) = store.search("JULY lease 2027")
        assert "The lease ends on 31 July 2027." in lease.line
        assert [found.number for found in store.search("muellabfuhr")] == []
        assert [(found.number, found.line) for found in store.search("mullab")] == [(1, "Who pays the Müllabfuhr?")]
        assert len(store.cited()) == 1
        assert store.shown() == (NEW, 0)
        assert store.drafts() == {}
    with closing(ConversationStore(path)) as store:
        assert len(store.search("lease")) == 1


@pytest.mark.parametrize("version", [4, 5])
def test_a_file_without_variants_or_place_opens_unchanged(path: Path, version: int) -> None:
    with closing(ConversationStore(path)) as store:
        flat = store.begin("flat")
        for number in range(1, 4):
            store.save(flat, Turn(number, f"question {number}", (AnswerDelta("yes"),), number, number - 1))
        store.pin(flat, pinned=True)
        before = store.load(flat)
    with closing(apsw.Connection(str(path))) as db:
        db.execute("ALTER TABLE shown DROP COLUMN turn")
        if version == 4:
            db.execute(
                "ALTER TABLE turn DROP COLUMN follows; ALTER TABLE conversation DROP COLUMN leaf; DROP TABLE tag"
            )
        db.execute(f"PRAGMA user_version = {version}")
    with closing(ConversationStore(path)) as store:
        assert store.load(flat) == before
        assert [turn.follows for turn in before.turns] == [0, 1, 2]
        assert (store.summaries()[0].pinned, store.notice) == (True, "")
        assert store.search("question 2")[0].number == 2


def test_later_turns_belong_to_the_variant_they_followed(path: Path) -> None:
    with closing(ConversationStore(path)) as store:
        flat = store.begin("rent")
        for number, follows in ((1, 0), (2, 1), (3, 2), (4, 1), (5, 4), (6, 1)):
            assert store.next_number(flat) == number
            store.save(flat, Turn(number, f"question {number}", (), number, follows))
        assert [turn.number for turn in store.load(flat).turns] == [1, 6]
        assert store.load(flat).variants == ((1,), (2, 4, 6))
        runs = store.runs_of("question 4", flat, 4)
        assert [run.number for _, run in runs] == [6, 4, 2]  # the variants, whatever each asks
        assert [run.number for _, run in store.runs_of("question 4")] == [4]
        store.choose_turn(flat, 2)
        assert [turn.number for turn in store.load(flat).turns] == [1, 2, 3]
        store.choose_turn(flat, 1)  # it is shown already: nothing changes
        store.save(flat, Turn(4, "question 4", (AnswerDelta("more"),), 4, 1))  # a run out of sight goes on
    with closing(ConversationStore(path)) as store:
        assert [turn.number for turn in store.load(flat).turns] == [1, 2, 3]
        store.choose_turn(flat, 4)
        assert [turn.number for turn in store.load(flat).turns] == [1, 4, 5]
        store.choose_turn(flat, 99)
        assert [turn.number for turn in store.load(flat).turns] == [1, 6]


def test_a_branch_has_the_turns_up_to_one_and_leaves_the_original(path: Path) -> None:
    with closing(ConversationStore(path)) as store:
        flat = store.begin("rent")
        for number in range(1, 4):
            store.save(flat, Turn(number, f"question {number}", (AnswerDelta("yes"),), number, number - 1))
        store.save_scope(flat, ChosenScope(("Flat",)))
        store.tag(flat, ["home", "to do "])
        copy = store.branch(flat, 2)
        assert [turn.question for turn in store.load(copy).turns] == ["question 1", "question 2"]
        assert store.load(copy).scope == ChosenScope(("Flat",))
        assert {summary.id: (summary.title, summary.tags) for summary in store.summaries()} == {
            flat: ("rent", ("home", "to-do")),
            copy: ("rent (2)", ("home", "to-do")),
        }
        for origin in (flat, copy, flat):
            store.branch(origin, 1)
        assert [summary.title for summary in store.summaries()] == [
            "rent (5)", "rent (4)", "rent (3)", "rent (2)", "rent",
        ]  # fmt: skip
        store.delete(flat)
        assert len(store.load(copy).turns) == 2
        assert store.search("question 3") == ()


def test_a_copy_of_a_long_title_keeps_its_number_and_is_renamed_with_its_first_question(path: Path) -> None:
    question = "Why " * 40
    with closing(ConversationStore(path)) as store:
        for asked in (question, "short"):
            origin = store.begin(asked)
            store.save(origin, Turn(1, asked, (), 1))
            copy = store.branch(origin, 1)
            titles = {summary.id: summary.title for summary in store.summaries()}
            assert titles[copy].endswith(" (2)")
            assert len(titles[copy]) <= 120
        store.save(copy, Turn(2, "long", (), 2))  # a variant of the first question
        assert store.summaries()[0].title == "long"


def test_a_file_of_an_earlier_version_that_cannot_be_written_is_shown(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir()
    with closing(apsw.Connection(str(path))) as db:
        db.execute(Path(__file__).with_name("conversations_version_2.sql").read_text(encoding="utf-8"))

    def full(*_: object) -> None:
        raise LibraryError("The disk is full.")

    monkeypatch.setattr(conversation_store, "prepare", full)
    with closing(ConversationStore(path)) as store:
        assert "no changes can be saved" in store.notice
        titles = [summary.title for summary in store.summaries()]
        assert titles == ["Who pays the Müllabfuhr?", "When does the lease end?"]
        assert len(store.load(store.summaries()[0].id).turns) == 2
        assert (store.search("lease"), store.drafts(), store.shown()) == ((), {}, (NEW, 0))


def test_words_are_found_in_questions_and_answers_and_forgotten_with_them(path: Path) -> None:
    with closing(ConversationStore(path)) as store:
        flat, boat = store.begin("Flat"), store.begin("Boat")
        answer = "## Rent\n\n- The **cold rent** is 840 € [1](cite:1).\n- 租金每月到期。"
        store.save(flat, Turn(1, "What does the flat cost?", (AnswerDelta(answer),), 1))
        store.save(flat, Turn(2, "And the zephyrgarage?", (), 2))
        store.save(boat, Turn(1, "Who paints the boat?", (AnswerDelta("The crew."),), 3))
        assert [(f.conversation, f.line) for f in store.search("cold 840")] == [(flat, "The cold rent is 840 €.")]
        assert [(f.conversation, f.number) for f in store.search("每月")] == [(flat, 1)]
        assert [(f.conversation, f.number) for f in store.search("zephyrg")] == [(flat, 2)]
        assert {f.conversation for f in store.search("the")} == {flat, boat}
        for nothing in ("", "  ", '"', "* NEAR(", "cold boat", "月每"):
            assert store.search(nothing) == ()
        store.save(flat, Turn(2, "And the cellar?", (), 2))
        assert store.search("zephyrgarage") == ()
        store.save_draft(flat, "half a question")
        store.delete(flat)
        assert store.search("cold") == ()
        assert store.drafts() == {}
        keep = store.begin("zephyrhouse")
        store.save(keep, Turn(1, "zephyrhouse", (AnswerDelta("xylophonic"),), 1))
        store.delete(keep)
    with closing(apsw.Connection(str(path))) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"xylophonic" not in path.read_bytes()


def test_one_long_conversation_does_not_hide_the_others(path: Path) -> None:
    with closing(ConversationStore(path)) as store:
        other = store.begin("other")
        store.save(other, Turn(1, "What is the rent of the other flat, please?", (), 1))
        long = store.begin("long")
        for number in range(1, 252):
            store.save(long, Turn(number, "rent", (), number))
        assert [found.conversation for found in store.search("rent")] == [long, other]


def test_pins_archive_drafts_and_what_was_shown_survive_a_restart(path: Path) -> None:
    fill(path, "one", "two")
    with closing(ConversationStore(path)) as store:
        two, one = (summary.id for summary in store.summaries())
        store.pin(one, pinned=True)
        store.archive(two, archived=True)
        store.mark_unread(two, unread=True)
        store.save_draft(one, "and then")
        store.save_draft(NEW, "a new one")
        store.save_draft(ConversationId(99), "deleted meanwhile")
        store.remember_shown(one, 3)
    with closing(ConversationStore(path)) as store:
        flags = [(s.pinned, s.archived, s.unread, s.draft) for s in store.summaries()]
        assert flags == [(False, True, True, False), (True, False, False, True)]
        assert store.drafts() == {one: "and then", NEW: "a new one"}
        assert store.shown() == (one, 3)
        store.archive(one, archived=True)
        store.pin(two, pinned=True)
        assert [(s.pinned, s.archived) for s in store.summaries()] == [(True, False), (False, True)]
        store.archive(one, archived=False)
        assert all(s.pinned for s in store.summaries() if s.id == one)
        store.save_draft(one, " ")
        store.delete(one)
        assert store.shown() == (NEW, 0)
        assert store.drafts() == {NEW: "a new one"}


def test_a_scope_is_stored_with_its_conversation(path: Path) -> None:
    fill(path, "one")
    chosen = ChosenScope(("Work",), ("ab" * 32,), "rent")
    with closing(ConversationStore(path)) as store:
        (one,) = store.summaries()
        assert store.load(one.id).scope == WHOLE_LIBRARY
        store.save_scope(one.id, chosen)
        store.save_scope(ConversationId(99), chosen)  # deleted meanwhile
    with closing(ConversationStore(path)) as store:
        assert store.load(one.id).scope == chosen
        store.save_scope(one.id, WHOLE_LIBRARY)
        assert store.load(one.id).scope == WHOLE_LIBRARY
        store.delete(one.id)


def test_deleting_a_conversation_removes_its_citations(path: Path, turn: Turn) -> None:
    with closing(ConversationStore(path)) as store:
        first, second = store.begin("q"), store.begin("q again")
        store.save(first, turn)
        store.save(second, turn)
        store.delete(first)
        assert store.cited()
        store.delete(second)
        assert store.cited() == ()


def test_a_quote_is_stored_with_three_lines_around_it(path: Path) -> None:
    lines = [f"This is sentence {number} of the lease." for number in range(1, 12)]
    lines[5] = "The lease ends on 31 July 2027."
    library = FakeRetriever(("lease.txt", document(*lines, title="Lease")))
    events = Asker(library, ExtractiveModel()).ask("When does the lease end?")
    with closing(ConversationStore(path)) as store:
        conversation = store.begin("q")
        store.save(conversation, Turn(1, "q", tuple(events), 1))
        kept = answer_of(store.load(conversation).turns[0])
    [citation] = [citation for citation in kept.citations if "2027" in citation.quote]
    assert (citation.first_line, citation.passage_first_line) == (6, 3)
    assert citation.passage.split("\n") == lines[2 : citation.last_line + 3]


def answer_of(turn: Turn) -> Answered:
    [answered] = [event for event in turn.events if isinstance(event, Answered)]
    return answered


def origin(turn: Turn) -> Forgotten:
    return Forgotten(b"/nowhere", frozenset(citation.sha256 for citation in answer_of(turn).citations))


def test_forgetting_a_folder_erases_its_quotes_from_every_file(path: Path, turn: Turn) -> None:
    other = Turn(1, "What else?", (AnswerDelta("Nothing else."),), 5)
    with closing(ConversationStore(path)) as store:
        quoting = store.begin(turn.question)
        store.save(quoting, turn)
        plain = store.begin("What else?")
        store.save(plain, other)
    titles(path)
    damage(path)
    titles(path)  # the damaged file is moved aside with its text
    path.with_name("conversations.sqlite.damaged-1").write_bytes(b"2027")
    assert {file.name for file in path.parent.iterdir() if b"2027" in file.read_bytes()} > {path.name}
    with closing(ConversationStore(path)) as store:
        before = [summary.id for summary in store.summaries()]
        assert store.turns_from(origin(turn)) == 1
        assert store.erase_from(origin(turn)) == 1
        assert [file.name for file in path.parent.iterdir() if b"2027" in file.read_bytes()] == []
        assert store.cited() == ()
        assert [summary.id for summary in store.summaries()] == before
        assert store.load(plain).turns == (other,)
        [kept] = store.load(quoting).turns
    assert kept.question == turn.question
    assert answer_of(kept).text == ERASED
    damage(path)
    assert len(titles(path)) == 2  # there is a copy again


def test_an_event_that_cannot_be_decoded_is_skipped(path: Path, turn: Turn) -> None:
    with closing(ConversationStore(path)) as store:
        conversation = store.begin("q")
        store.save(conversation, turn)
        expected = len(store.load(conversation).turns[0].events)
    with closing(apsw.Connection(str(path))) as db:
        db.execute("UPDATE event SET data = x'ff00' WHERE number = 2")
    with closing(ConversationStore(path)) as store:
        assert len(store.load(conversation).turns[0].events) == expected - 1


def test_an_unwritable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ConversationError, match="could not be opened"):
        ConversationStore(tmp_path / "file" / "conversations.sqlite")


def test_claims_that_an_earlier_version_checked_say_so(path: Path, turn: Turn) -> None:
    with closing(ConversationStore(path)) as store:
        conversation = store.begin("q")
        store.save(conversation, turn)
        expected = answer_of(store.load(conversation).turns[0])
    assert expected.claims
    with closing(apsw.Connection(str(path))) as db:
        [(number, data)] = db.execute("SELECT number, data FROM event ORDER BY number DESC LIMIT 1").fetchall()
        assert isinstance(data, bytes)
        event = msgspec.msgpack.decode(data[1:])
        places = ("start", "end", "citations")
        former = {"standing": "unsupported", "faults": [{"kind": "name", "text": "Ada", "found": ""}], "computed": ""}
        event["claims"] = [former | {place: claim[place] for place in places} for claim in event["claims"]]
        event["claims"].append({"start": 0, "end": 2, "standing": "uncited"})
        data = data[:1] + msgspec.msgpack.encode(event)
        db.execute("UPDATE event SET data = ? WHERE number = ?", (data, number))
    with closing(ConversationStore(path)) as store:
        answered = answer_of(store.load(conversation).turns[0])
    earlier = tuple(Claim(each.start, each.end, "earlier", each.citations) for each in expected.claims)
    assert answered == replace(expected, claims=(*earlier, Claim(0, 2, "uncited")))
    assert f"{len(earlier)} checked by an earlier version" in count_claims(answered.claims)


def test_an_edited_first_question_names_the_conversation_unless_the_user_has_named_it(path: Path) -> None:
    with closing(ConversationStore(path)) as store:
        for title, expected in (("", "What is the deposit?"), ("House", "House")):
            conversation = store.begin("What is the rent?")
            store.save(conversation, Turn(1, "What is the rent?", (), 1, 0))
            if title:
                store.rename(conversation, title)
            store.save(conversation, Turn(2, "And the heating?", (), 2, 1))
            store.save(conversation, Turn(3, "What is the deposit?", (), 3, 0))
            titles = {each.id: each.title for each in store.summaries()}
            assert titles[conversation] == expected
