"""Any mixture of the known forms of citations is read back to the same places."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.agent.citations.written.citation_forms import ReadText, WrittenCitation, read_citations
from desktop_rag.agent.citations.written.cited_places import parse_places, place_of_address
from desktop_rag.text.desktop_links import markdown_link

Place = tuple[str, int, int]  # file, first and last line
Form = Callable[[Place], str]

FILES = (
    "lease.md",
    "docs/wifi.txt",
    "Roof survey.txt",
    "boat log (1).md",
    "a_b.v2.md",
    "C:/notes/x.docx",
    "/home/ada/Miete.md",
)
IN_BRACKETS: tuple[Form, ...] = (
    lambda at: f"{at[0]}, line {at[1]}" if at[1] == at[2] else f"{at[0]}, lines {at[1]}–{at[2]}",
    lambda at: f"{at[0]}:{at[1]}-{at[2]}",
    lambda at: f"{at[0]}#L{at[1]}-L{at[2]}",
    lambda at: f"{at[0]} L{at[1]}-{at[2]}",
    lambda at: f"{at[0]}, Zeilen {at[1]} bis {at[2]}",
    lambda at: f"{at[0]} (lines {at[1]}-{at[2]})",
    lambda at: f"{at[0]}, page 3, lines {at[1]}–{at[2]}",
    lambda at: f"{at[0]}, Rent · lines {at[1]}–{at[2]}",
    lambda at: f"Lease agreement ({at[0]}), lines {at[1]}–{at[2]}" if "(" not in at[0] else f"{at[0]}:{at[1]}-{at[2]}",
    lambda at: f"{at[0]} 第 {at[1]}–{at[2]} 行",
    lambda at: f"lines {at[1]} to {at[2]} of {at[0]}",
    lambda at: f"Source: {at[0]}, lines {at[1]}-{at[2]}",
    lambda at: f"{at[0]}†L{at[1]}-L{at[2]}",
)
places = st.tuples(st.sampled_from(FILES), st.integers(1, 40), st.integers(0, 5)).map(
    lambda p: (p[0], p[1], p[1] + p[2])
)


def _percent(path: str) -> str:
    return path.replace(" ", "%20").replace("(", "%28").replace(")", "%29")


@st.composite
def citations(draw: st.DrawFn) -> tuple[str, list[Place], list[str]]:
    """Draw a citation in the text, its places, and the rows of a list of sources that it needs."""
    inside = draw(st.sampled_from(IN_BRACKETS))
    at = draw(places)
    link = f"{_percent(at[0])}#L{at[1]}-L{at[2]}"
    match draw(st.integers(0, 7)):
        case 0 | 1:
            opener, closer = draw(st.sampled_from((("[", "]"), ("(", ")"), ("【", "】"))))
            several = draw(st.lists(places, max_size=1))
            text = "; ".join(map(inside, (at, *several)))
            apart = " " if opener == "(" and " " not in text else ""  # else it may be the address of a link
            return f"{apart}{opener}{text}{closer}", [at, *several], []
        case 2:
            return f"[{at[0].rpartition('/')[2]}#L{at[1]}]({link})", [at], []
        case 3:
            return f"([{draw(st.sampled_from(('1', 'source', 'lease.md, line 3')))}]({link}))", [at], []
        case 4:
            path = "/" + at[0].rpartition("/")[2]
            return markdown_link(path, at[1], at[2]), [(path, at[1], at[2])], []
        case 5:
            return f"[[{at[0]}#L{at[1]}-L{at[2]}]]", [at], []
        case 6:
            return "[^{n}]", [at], [f"[^{{n}}]: {inside(at)}"]
        case _:
            mark = draw(st.sampled_from(("[{n}]", "[cite: {n}]", "<sup>{n}</sup>")))
            row = draw(st.sampled_from(("[{{n}}] {}", "{{n}}. {}", "[{{n}}]: {}", "- [{{n}}] **{}**")))
            return mark, [at], [row.format(draw(st.sampled_from((inside(at), f"[x]({link})"))))]


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, list[list[Place]]]:
    """Draw statements with citations, adjacent or apart, and the list of their sources; return the places of each."""
    said: list[str] = []
    rows: list[str] = []
    expected: list[list[Place]] = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        written, cited, sources = draw(citations())
        before = draw(st.sampled_from(("The rent is due ", "The rent is due", "", "\n\nIt was paid ")))
        said.append(before + written.replace("{n}", str(number)) + draw(st.sampled_from((". ", "", " and "))))
        rows += [row.replace("{n}", str(number)) for row in sources]
        expected.append(cited)
    heading = "\n\nSources:\n" if rows else ""
    return f"So it is {''.join(said)} that is all{heading}{chr(10).join(rows)}\n", expected


def cited(read: ReadText) -> Iterator[list[Place]]:
    for part in read.parts:
        if isinstance(part, WrittenCitation):
            assert not part.why, part
            yield [(place.names[0], place.first, place.last) for place in part.places]


def merged(found: list[list[Place]]) -> list[Place]:
    return [place for group in found for place in group]


@given(texts())
def test_any_mixture_of_forms_is_read_back_to_the_same_places(drawn: tuple[str, list[list[Place]]]) -> None:
    text, expected = drawn
    assert merged(list(cited(read_citations(text)))) == merged(expected), text


@given(st.text(alphabet='[]()【】^1:;,. -–—\n"“”`*#L/ab.md<>¹', max_size=80))
def test_no_text_is_lost_that_is_no_citation(text: str) -> None:
    read = read_citations(text)
    if not read.listed and not any(isinstance(part, WrittenCitation) for part in read.parts):
        kept = "".join(part for part in read.parts if isinstance(part, str))
        assert {*"ab"} & {*kept} == {*"ab"} & {*text}


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        ("lease.md, lines 10 and 11", [(10, 11)]),
        ("lease.md, lines 10, 12 and 14-15", [(10, 10), (12, 12), (14, 15)]),
        ("lease.md:10:5", [(10, 10)]),
        ("lease.md, line 10; line 12", [(10, 10), (12, 12)]),
        ("lease.md, line 1,234", [(1234, 1234)]),
        ("lease.md, pp. 3–4", [(0, 0)]),
        ("lease.md, section 2, line 10", [(10, 10)]),
        ("lease.md, line 10: “The “big” rent”", [(10, 10)]),
        ("see above", []),
        ("lease.md says so", []),
    ],
)
def test_lines_are_read_as_they_are_written(written: str, lines: list[tuple[int, int]]) -> None:
    assert [(place.first, place.last) for place in parse_places(written)] == lines


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("file:///tmp/a%20b/lease.md#L10", ("/tmp/a b/lease.md", 10)),
        ("file:///C:/docs/lease.md#L10", ("C:/docs/lease.md", 10)),
        ("<my lease.md#L3>", ("my lease.md", 3)),
        ("desktop-rag://open?file=/tmp/lease.md&line=4-6", ("/tmp/lease.md", 4)),
        ("https://example.org/lease.md#L4", None),
        ("mailto:ada@example.org", None),
        ("#fn1", None),
    ],
)
def test_an_address_is_a_place_or_of_the_web(address: str, place: tuple[str, int] | None) -> None:
    found = place_of_address(address)
    assert (found and (found.names[0], found.first)) == place


def test_hostile_text_is_read_in_time_that_grows_with_its_length() -> None:
    for piece in (
        "[",
        "(",
        "【",
        "[(",
        "a.md:1 ",
        "[1]",
        "[a](",
        "`",
        "“a",
        "lease.md, line 1, ",
        "¹",
        "> — ",
        "a" * 50,
    ):
        text = (piece * 40_000)[:40_000]
        assert read_citations(text).parts or not text.strip()


def test_a_sentence_with_a_number_before_it_keeps_its_citation() -> None:
    text = "(1) The rent is 800 euros [lease.md, line 3].\n(2) The deposit is 1,600 euros [lease.md, line 4]."
    read = read_citations(text)
    cited = [each for each in read.parts if isinstance(each, WrittenCitation)]
    assert [place.first for each in cited for place in each.places] == [3, 4]
    assert "(1) The rent is 800 euros" in "".join(each for each in read.parts if isinstance(each, str))
    assert read.listed == ()


def test_a_sentence_that_begins_with_a_grouped_number_is_no_listed_source() -> None:
    text = "- 2.000 Euro behält der Käufer ein [mail.eml, line 3].\n- 3.500 Euro sind bezahlt [mail.eml, line 4]."
    read = read_citations(text)
    assert "2.000 Euro behält der Käufer ein" in "".join(each for each in read.parts if isinstance(each, str))
    assert read.listed == ()
