"""Replies of a second look are read in whatever form a model writes them, and nothing is read that they do not say."""

import json
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.agent.events import Citation, Judgment
from desktop_rag.agent.run.look.second_look import Says, judged_in, read_entries
from desktop_rag.agent.run.statements import Statement
from desktop_rag.index.records import ContentId

WORDS = ("rent", "tenant", "landlord", "heating", "written", "consent", "deposit", "euros", "month", "garden", "notice")


def statement(number: int, line: str, at: int = 29) -> Statement:
    """Return a statement about a line that stands between two others."""
    citation = Citation(
        number, "turn1search1", ContentId(number), f"{number:064x}", "/library/lease.txt", "Lease", "txt", None, at, at,
        "", f"Before.\n{line}\nAfter.", at - 1, "paraphrase",
    )  # fmt: skip
    return Statement(f"Statement of Ada about matter {'ABCDEFGHIJKLMNOPQRSTUVWX'[number - 1]}.", (citation,))


LINE = st.lists(st.sampled_from(WORDS), min_size=3, max_size=8).map(" ".join)
SAYS = st.sampled_from(("says", "contradicts", "silent"))
INFLECTED = {
    "says": ("says", "Says", "SAYS", "said", "say", "supports", "supported"),
    "contradicts": ("contradicts", "contradicted", "Contradiction", "contradicts the statement"),
    "silent": ("silent", "Silent", "SILENT"),
}
Entry = tuple[int, str, str]  # number, word, words of the lines


def _quoted(words: str, opening: str = '"', closing: str = '"') -> str:
    return f" {opening}{words}{closing}" if words else ""


def _lines(form: str, *, opening: str = '"', closing: str = '"') -> Callable[[Sequence[Entry]], str]:
    def write(entries: Sequence[Entry]) -> str:
        return "\n".join(
            form.format(n=number, word=word, words=_quoted(words, opening, closing)) for number, word, words in entries
        )

    return write


def _numbered_lines(entries: Sequence[Entry]) -> str:
    return "\n".join(f"{n}. {word}{_quoted(f'29: {words}' if words else '')}" for n, word, words in entries)


def _objects(entries: Sequence[Entry], *names: str) -> list[dict[str, object]]:
    return [dict(zip(names, entry, strict=True)) for entry in entries]


def _table(entries: Sequence[Entry]) -> str:
    rows = (f"| {number} | {word} | {words} |" for number, word, words in entries)
    return "\n".join(("| Statement | Judgment | Words |", "|---|---|---|", *rows))


def _table_with_words_first(entries: Sequence[Entry]) -> str:
    return "\n".join(f"| {number} | “{words}” | **{word}** |" for number, word, words in entries)


FORMS: dict[str, Callable[[Sequence[Entry]], str]] = {
    "list": _lines("{n}. {word}{words}"),
    "bracket": _lines("{n}) {word}:{words}"),
    "colon": _lines("{n}: {word} –{words}."),
    "bold": _lines("**{n}.** **{word}**{words}"),
    "bullets": _lines("- {n}. `{word}`{words}"),
    "heading": _lines("### Statement {n}\n\n{word}{words}\n"),
    "sources": _lines("{n}. [3] {word}{words}"),
    "lines of sources": _lines("{n}. [3 L4-6] [4 L1] {word}{words}"),
    "labels": _lines("Statement {n}: {word}{words}"),
    "verdicts": _lines("Statement {n}:\nVerdict: {word}\nWords:{words}"),
    "next line": _lines("{n}. {word}\n  {words}"),
    "curly": _lines("{n}. {word}{words}", opening="“", closing="”"),
    "german": _lines("{n}. {word}{words}", opening="„", closing="“"),
    "french": _lines("{n}. {word}{words}", opening="«", closing="»"),
    "single": _lines("{n}. {word}{words}", opening="'", closing="'"),
    "backticks": _lines("{n}. {word}{words}", opening="`", closing="`"),
    "bare": _lines("{n}. {word}:{words}", opening="", closing=""),
    "with a place": _lines("{n}. {word}{words} (line 29 of [1])"),
    "line numbers": _numbered_lines,
    "prose around": lambda entries: f"Here is what I found:\n\n{_lines('{n}. {word}{words}')(entries)}\n\nThat is all.",
    "table": _table,
    "table, words first": _table_with_words_first,
    "json": lambda entries: json.dumps({"judgments": _objects(entries, "number", "judgment", "words")}),
    "json list": lambda entries: json.dumps(_objects(entries, "statement", "verdict", "quote"), indent=2),
    "fenced json": lambda entries: f"```json\n{json.dumps(_objects(entries, 'id', 'result', 'evidence'))}\n```",
    "json lines": lambda entries: "\n".join(map(json.dumps, _objects(entries, "n", "judgment", "words"))),
    "json by number": lambda entries: json.dumps({str(n): f'{word} "{words}"' for n, word, words in entries}),
    "json of objects": lambda entries: json.dumps(
        {f"Statement {n}": {"judgment": word, "words": [words]} for n, word, words in entries}
    ),
    "json of lists": lambda entries: json.dumps([list(entry) for entry in entries]),
    "json with lines": lambda entries: json.dumps(
        [{"number": n, "line": 29, "judgment": word, "words": f"29: {words}"} for n, word, words in entries]
    ),
    "json by word": lambda entries: json.dumps([{"number": n, word: words or "-"} for n, word, words in entries]),
}


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=12)
@given(judged=st.lists(st.tuples(LINE, SAYS), min_size=1, max_size=12), data=st.data())
def test_every_form_is_read_whole(form: str, judged: list[tuple[str, str]], data: st.DataObject) -> None:
    asked = [statement(number, line) for number, (line, _) in enumerate(judged, 1)]
    entries = []
    for number, (line, says) in enumerate(judged, 1):
        word = data.draw(st.sampled_from(INFLECTED[says])) if "json" not in form and "table" not in form else says
        entries.append((number, word, "" if says == "silent" else line))
    found = judged_in(FORMS[form](entries), asked)[0]
    for each, (line, says) in zip(asked, judged, strict=True):
        judgment = found.get(each.key)
        assert judgment is not None, (form, FORMS[form](entries))
        assert judgment.says == says
        assert judgment.words == ("" if says == "silent" else line)


@pytest.mark.parametrize("form", FORMS)
def test_all_of_many_judgments_are_read(form: str) -> None:
    says: tuple[Says, ...] = ("says", "contradicts", "silent")
    made: list[tuple[str, Says]] = [
        (f"{WORDS[n % 11]} of the {WORDS[(n + 3) % 11]} in month {n}", says[n % 3]) for n in range(1, 121)
    ]
    read = 0
    for start in range(0, 120, 24):
        part = made[start : start + 24]
        asked = [statement(number, line) for number, (line, _) in enumerate(part, 1)]
        entries = [(number, word, "" if word == "silent" else line) for number, (line, word) in enumerate(part, 1)]
        found = judged_in(FORMS[form](entries), asked)[0]
        expected = [Judgment(word, "" if word == "silent" else line) for line, word in part]
        read += sum(found.get(each.key) == judgment for each, judgment in zip(asked, expected, strict=True))
    assert read == 120


@given(st.lists(LINE, min_size=1, max_size=24), st.text(max_size=400))
def test_nothing_is_invented_from_any_text(lines: list[str], reply: str) -> None:
    asked = [statement(number, line) for number, line in enumerate(lines, 1)]
    for key, judgment in judged_in(reply, asked)[0].items():
        cited = next(each for each in asked if each.key == key).citations[0].passage
        assert judgment.says == "silent" or judgment.words.split(" … ")[0] in cited


@given(st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.text(max_size=12) | st.sampled_from(("says", "silent", "1")),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(("number", "judgment", "words", "1", "says", "statement")), inner, max_size=4),
    max_leaves=20,
))  # fmt: skip
def test_any_json_is_read_without_a_failure(value: object) -> None:
    for entry in read_entries(json.dumps(value), ["One.", "Two."]):
        assert entry.number in (1, 2)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Everything is right.",
        "1. Everything is right.",
        "1. not supported",
        "1. unsupported",
        "1. does not say it",
        '1. says nothing about "rent tenant landlord"',
        "The first one says “rent tenant landlord”.",
        "1.5 says “rent tenant landlord”",
        "29: says “rent tenant landlord”",
        '{"line": 1, "judgment": "says", "words": "rent tenant landlord"}',
        '{"number": true, "judgment": "says", "words": "rent tenant landlord"}',
        '[["says", "rent tenant landlord"], ["says", "rent"]]',
        "[" * 20_000,
        '{"1":' * 5_000,
        "1. " * 20_000,
    ],
)
def test_what_names_no_statement_or_no_judgment_is_not_read(reply: str) -> None:
    asked = [statement(1, "rent tenant landlord")]
    judgments, unread = judged_in(reply, asked)
    assert judgments == {}
    assert unread == tuple(asked) or "says nothing" in reply


@pytest.mark.parametrize("words", ["No pets may be kept", "not less than ninety days' notice"])
def test_words_of_the_lines_that_deny_are_no_denial_of_the_judgment(words: str) -> None:
    written = (f'1. says "{words}"', f"1. says “{words}”", json.dumps({"1": {"judgment": "says", "words": words}}))
    for reply in written:
        assert [judged.says for judged in judged_in(reply, [statement(1, words)])[0].values()] == ["says"], reply
    assert judged_in("1. says nothing of it", [statement(1, words)])[0] == {}


def test_words_that_the_statement_has_say_what_is_contradicted() -> None:
    asked = [Statement("The rent is 850 euros.", statement(1, "The rent is 950 euros.").citations)]
    reply = '1. contradicts: the statement says "850 euros", the lines say "950 euros"'
    assert judged_in(reply, asked)[0] == {asked[0].key: Judgment("contradicts", "950 euros")}
    assert judged_in('1. contradicts "850 euros"', asked)[0] == {}
    assert judged_in('1. says "850 euros" "950 euros"', asked)[0] == {}


def test_a_statement_that_is_repeated_is_no_quotation() -> None:
    asked = [Statement("The rent is due.", statement(1, "rent is payable each month").citations)]
    for reply in (
        '1. The rent is due. → says "payable each month"',
        "| 1 | The rent is due. | says | payable each month |",
    ):
        assert judged_in(reply, asked)[0] == {asked[0].key: Judgment("says", "payable each month")}


def test_a_bracket_at_the_end_of_the_words_stays_closed() -> None:
    asked = [statement(1, "EBITDA 2,117 2,018 (5)")]
    reply = '1. says "2,117 2,018 (5)"'
    assert judged_in(reply, asked)[0] == {asked[0].key: Judgment("says", "2,117 2,018 (5)")}


def test_json_that_broke_off_keeps_what_is_whole() -> None:
    asked = [statement(1, "rent tenant landlord"), statement(2, "garden notice deposit")]
    reply = '{"judgments": [{"number": 1, "judgment": "says", "words": "tenant landlord"}, {"number": 2, "judg'
    judgments, unread = judged_in(reply, asked)
    assert judgments == {asked[0].key: Judgment("says", "tenant landlord")}
    assert unread == (asked[1],)


def test_what_is_said_in_two_ways_does_not_count() -> None:
    asked = [statement(1, "rent tenant landlord")]
    assert judged_in('1. silent\n1. says "tenant landlord"', asked)[0] == {}
    assert judged_in('1. says "garden"\n1. silent', asked)[0] == {}


@pytest.mark.parametrize(
    "reply",
    [
        "1. " + "[.]" * 20_000,
        "1. says " + "[.] " * 15_000,
        "1. says " + " 'a" * 20_000,
        "1. says " + '"' * 60_000,
        "1. says " + "29: " * 15_000,
        "\n".join("1." for _ in range(20_000)),
        "| 1 " * 15_000,
        '{"1": ["says", ' * 4_000,
        "1. says " + "… " * 30_000,
    ],
)
def test_no_reply_takes_long_to_read(reply: str) -> None:
    """A reply that would be read by trying every way to read it never ends."""
    asked = [statement(1, "rent tenant landlord")]
    assert judged_in(reply, asked)[0] == {}
