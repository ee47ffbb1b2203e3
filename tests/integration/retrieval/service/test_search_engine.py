import os
from functools import partial
from pathlib import Path

import pytest

from desktop_rag.documents.document import LineKind, MarkKind
from desktop_rag.errors import LibraryError
from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordReader
from desktop_rag.index.keywords.keyword_query import TEXT_STEM, KeywordQuery
from desktop_rag.index.records import ChunkId, ContentId, FolderId
from desktop_rag.retrieval.api import LibraryFacts, Mode, Scope, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Withheld
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import CATS, LEASE, Ask, SmallLibrary


def test_lines_are_numbered_from_one(engine: SearchEngine, library: SmallLibrary) -> None:
    content = library.content("papers/lease.md")
    window = engine.read_lines(content, 3, 2, Stop())
    assert window.lines == tuple(LEASE.split("\n")[2:4])
    assert window.first == 3
    assert LEASE[window.start :].startswith(window.lines[0])
    assert window.total == len(LEASE.rstrip("\n").split("\n"))
    assert engine.read_lines(content, window.total, 10, Stop()).lines == (LEASE.rstrip("\n").split("\n")[-1],)
    assert engine.read_lines(content, window.total + 1, 10, Stop()).lines == ()
    assert engine.read_lines(content, -3, 1, Stop()).lines == ("# Lease agreement",)


def test_inline_marks_come_with_the_lines_not_the_layout(engine: SearchEngine, library: SmallLibrary) -> None:
    library.add({"marked.md": "# Rent\n\nOne *paragraph*.\n\nIt is **840** euros.\n"}, root="marked")
    content = library.content("marked.md", root="marked")
    window = engine.read_lines(content, 5, 1, Stop())
    (strong,) = (mark for mark in window.marks if mark.kind is MarkKind.STRONG)
    assert window.lines[0][strong.start - window.start : strong.end - window.start] == "840"
    structure = engine.layout(content, Stop()).structure
    assert structure.marks == b""
    assert [entry.title for entry in structure.outline] == ["Rent"]


def test_a_removed_document_raises(engine: SearchEngine) -> None:
    with pytest.raises(LibraryError, match="no longer"):
        engine.read_lines(ContentId(99), 1, 1, Stop())


def test_chunks_are_read_whole_and_in_the_order_asked(engine: SearchEngine, library: SmallLibrary, ask: Ask) -> None:
    chunks = library.catalog.chunks.ids_of_content(library.content("papers/lease.md"))
    asked = (*reversed(chunks), ChunkId(999))
    found = engine.read_chunks(asked, Stop())
    assert [chunk.chunk for chunk in found] == list(reversed(chunks))
    for chunk in found:
        assert "\n".join(chunk.lines) == LEASE[chunk.span.start : chunk.span.end]
        assert chunk.chunks_in_content == len(chunks)


def test_chunks_of_removed_folders_are_not_read(engine: SearchEngine, library: SmallLibrary) -> None:
    chunks = library.catalog.chunks.ids_of_content(library.content("cats.md"))
    library.catalog.folders.remove(library.catalog.folders.all()[0].id)
    assert engine.read_chunks(chunks, Stop()) == ()


def test_patterns_are_found_in_one_document(engine: SearchEngine, library: SmallLibrary) -> None:
    content = library.content("papers/lease.md")
    passages = engine.find(content, ("RENT", "of each\nmonth", "nothing"), 1, Stop())
    assert [passage.pattern for passage in passages] == ["RENT", "of each\nmonth"]
    first = passages[0]
    lines = LEASE.split("\n")
    assert first.lines == tuple(lines[first.first - 1 : first.first - 1 + len(first.lines)])
    assert {lines[line - 1][start:end] for line, start, end in first.marks} == {"rent"}


def test_a_card_describes_a_document(engine: SearchEngine, library: SmallLibrary) -> None:
    library.add({"copy.md": CATS}, root="other")
    card = engine.describe(library.content("cats.md"), Stop())
    assert card is not None
    assert card.path == library.files / "home/cats.md"
    assert card.also == (library.files / "other/copy.md",)
    assert (card.title, card.format, card.offline) == ("Keeping cats", "markdown", False)
    assert card.lines == 5
    assert engine.describe(ContentId(99), Stop()) is None


def test_a_changed_file_is_looked_up_by_its_path(engine: SearchEngine, library: SmallLibrary) -> None:
    card = engine.describe(library.content("cats.md"), Stop())
    assert card is not None
    assert card.path is not None
    assert engine.lookup(card.sha256, None, Stop()) == card
    assert engine.lookup("00" * 32, card.path, Stop()) == card
    assert engine.lookup("no hash", card.path, Stop()) == card
    assert engine.lookup("00" * 32, Path("/nowhere"), Stop()) is None


def test_the_content_of_a_removed_folder_has_no_path(engine: SearchEngine, library: SmallLibrary) -> None:
    content = library.content("cats.md")
    library.catalog.folders.remove(library.catalog.folders.all()[0].id)
    card = engine.describe(content, Stop())
    assert card is not None
    assert card.path is None
    assert engine.read_lines(content, 1, 1, Stop()).lines == ("# Keeping cats",)


def test_a_layout_has_a_kind_for_each_line(engine: SearchEngine, library: SmallLibrary) -> None:
    layout = engine.layout(library.content("cats.md"), Stop())
    assert LineKind(layout.kinds[0] & 15) is LineKind.HEADING
    assert len(layout.kinds) == 5


def test_facts_count_what_can_be_searched(engine: SearchEngine, library: SmallLibrary) -> None:
    other = library.add({"copy.md": CATS}, root="other")
    facts = engine.facts(Scope(), Stop())
    assert (facts.files, facts.contents, facts.coverage) == (5, 4, 0.0)
    assert facts.chunks == len(library.catalog.chunks.all_ids())
    assert engine.facts(Scope(folders=(other,)), Stop()).files == 1
    assert engine.facts(Scope(contents=(library.content("cats.md"),)), Stop()).files == 2
    assert engine.facts(Scope(folders=(FolderId(-1),)), Stop()).files == 0
    library.encode()
    assert engine.facts(Scope(), Stop()).coverage == 1.0


def test_a_library_that_does_not_exist_yet_is_empty(tmp_path: Path) -> None:
    engine = SearchEngine(tmp_path / "none")
    assert engine.facts(Scope(), Stop()) == LibraryFacts(0, 0, 0, 1.0)
    assert engine.search(SearchRequest("rent"), Stop()).hits == ()
    assert engine.describe(ContentId(1), Stop()) is None
    assert engine.lookup("", tmp_path, Stop()) is None
    assert not (tmp_path / "none").exists()
    library = SmallLibrary(tmp_path)
    library.add({"a.md": "rent"})
    os.rename(library.layout.folder, tmp_path / "none")  # noqa: PTH104 - the open catalog moves along
    assert len(engine.search(SearchRequest("rent", Mode.KEYWORD), Stop()).hits) == 1
    engine.close()
    library.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Whoosh leaves a bad file open
def test_with_a_damaged_keyword_index_semantic_search_works(engine: SearchEngine, library: SmallLibrary) -> None:
    library.encode()
    for path in library.layout.keywords.glob("contents"):
        path.write_bytes(b"garbage")
    result = engine.search(SearchRequest("feline rest", Mode.HYBRID), Stop())
    assert result.hits[0].path.name == "cats.md"
    assert result.note
    with pytest.raises(LibraryError):
        engine.search(SearchRequest("feline rest", Mode.KEYWORD), Stop())


def test_indexes_of_another_catalog_are_ignored(engine: SearchEngine, library: SmallLibrary, ask: Ask) -> None:
    assert ask("rent").hits
    library.catalog.database.execute("UPDATE meta SET value = 'restored' WHERE key = 'lineage'")
    assert ask("rent").hits == ()


@pytest.mark.parametrize(
    ("query", "mode", "without"),
    [
        ("feline napping", Mode.HYBRID, True),
        ("feline napping", Mode.LINKED, True),
        ("feline napping", Mode.SEMANTIC, False),  # by meaning is what was asked for
        ("feline cat", Mode.HYBRID, False),
        ("is", Mode.HYBRID, False),  # a stop word is not searched for
        ("ext:md", Mode.HYBRID, False),
    ],
)
def test_a_search_says_that_no_passage_has_its_words(
    engine: SearchEngine, library: SmallLibrary, query: str, mode: Mode, *, without: bool
) -> None:
    library.encode()
    result = engine.search(SearchRequest(query, mode), Stop())
    assert result.hits
    assert result.without_words is without


def test_the_best_hit_has_the_word_though_many_others_are_better_by_words(
    engine: SearchEngine, library: SmallLibrary
) -> None:
    sentence = "The harbour master of berth {0} writes that the rent of boat {0} is due on day {0}."
    library.add({f"n{n}.txt": f"Note {n}\n\n{sentence.format(n)}\n" for n in range(150)}, root="notes")
    library.encode()
    for query in ("rent", "harbour", "boat", "berth", "day", "note", "master"):
        result = engine.search(SearchRequest(query, Mode.HYBRID, 1), Stop())
        assert result.hits[0].snippet.marks
        assert result.hits[0].why.by_words
        assert not result.without_words, query


def test_passages_near_in_meaning_have_no_word(engine: SearchEngine, library: SmallLibrary) -> None:
    library.encode()
    hits = engine.search(SearchRequest("how is the cat", Mode.HYBRID), Stop()).hits
    words = [hit.path.name for hit in hits if hit.why.by_words]
    assert words
    assert len(words) < len(hits)
    facets = engine.facets(SearchRequest("how is the cat", Mode.HYBRID), Stop())
    assert facets.documents == len(set(words))  # the similar ones were not found


def test_words_that_no_document_has_are_named(library: SmallLibrary, engine: SearchEngine) -> None:
    library.add({"boat.md": "The anchor lies ashore.\n", "shop.md": "A customer paid 420 euros.\n"}, root="harbour")

    def note(query: str, mode: Mode = Mode.HYBRID) -> str:
        return engine.search(SearchRequest(query, mode), Stop()).note

    assert note("customer zeppelin 933") == "No document has “zeppelin”, “933”."
    assert note("customer anchor", Mode.KEYWORD) == "No passage has all of these words."
    assert note("customer 420") == ""
    assert note("+customer zeppelin") == ""  # what a query demands is shown by its hits
    assert note("where is the anchor of the customer") == ""  # a question
    assert note("zeppelin 933") == ""  # the hits are similar in meaning, without the words


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID, Mode.SEMANTIC, Mode.EXACT])
def test_a_pasted_path_is_found_or_told_not_to_be_here(library: SmallLibrary, engine: SearchEngine, mode: Mode) -> None:
    library.add({"my docs/lease.md": "# Lease\n\nThe rent is due.\n", "boat.md": "See /api/v1/users.\n"}, root="home")
    library.encode()
    [(home, _)] = library.catalog.folders.paths()
    lease = f"{os.fsdecode(home)}/my docs/lease.md"
    for written in (lease, f'"{lease}"', Path(lease).as_uri()):
        found = engine.search(SearchRequest(written, mode), Stop())
        if lease not in [str(hit.path) for hit in found.hits]:
            assert (found.note, found.suggestion) == ("", f'path:"{lease}"')
    assert str(engine.search(SearchRequest(f'path:"{lease}"', mode), Stop()).hits[0].path) == lease
    for written, told in (
        ("/home/me/contracts/lease.pdf", "/home/me/contracts/lease.pdf"),
        ("C:\\docs\\lease.pdf", "C:\\docs\\lease.pdf"),
        ("file:///home/me/my%20docs/x.pdf", "/home/me/my docs/x.pdf"),
        ("/home/me/where the rent is/lease 2.pdf", "/home/me/where the rent is/lease 2.pdf"),
    ):
        note = engine.search(SearchRequest(written, mode), Stop()).note
        assert note == f"No file of this library has the path “{told}”."
    withheld = Scope(withheld=Withheld((b"/home",)))
    assert engine.search(SearchRequest("/home/me/contracts/lease.pdf", mode, scope=withheld), Stop()).note == ""
    for query in ("/api/v1/users", "/rent is due"):
        assert "file" not in engine.search(SearchRequest(query, mode), Stop()).note


LEFT_OUT = "Only passages that the conditions of this search leave out have these words."


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID, Mode.SEMANTIC, Mode.EXACT])
@pytest.mark.parametrize(
    ("query", "cause"),
    [
        ('"euros customer"', "No passage has “euros customer” word for word."),
        ('"customer zeppelin"', "No document has “zeppelin”."),
        (
            '"euros zeppelin" OR "anchor ashore"',
            "No document has “zeppelin”. No passage has “anchor ashore” word for word.",
        ),
        ("+customer +zeppelin", "No document has “zeppelin”."),
        ("anchor AND customer", "No passage has all of these words."),
        ("=Anchor", "No passage has “Anchor” word for word."),
        ("zeppel*", "No document has “zeppel*”."),
        ("title:anchor", LEFT_OUT),
        ("title:zeppelin", "No document has “zeppelin”."),
        ('"customer euros"~1', LEFT_OUT),
        ('"customer paid" NOT euros', LEFT_OUT),
        ('"customer paid" ext:pdf', LEFT_OUT),
        ("ext:pdf", ""),
        ('"customer paid" OR "anchor ashore"', ""),
    ],
)
def test_a_query_with_operators_that_finds_nothing_says_why(
    library: SmallLibrary, engine: SearchEngine, query: str, cause: str, mode: Mode
) -> None:
    library.add({"boat.md": "The anchor lies ashore.\n", "shop.md": "A customer paid 420 euros.\n"}, root="harbour")
    library.encode()
    result = engine.search(SearchRequest(query, mode), Stop())
    assert result.note == cause
    assert bool(result.hits) is (" OR " in query and not cause)


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID, Mode.LINKED, Mode.SEMANTIC, Mode.EXACT])
def test_what_a_question_quotes_lifts_and_does_not_bind(
    library: SmallLibrary, engine: SearchEngine, mode: Mode
) -> None:
    films = {
        "glory.md": "The film “Jump for Glory” was directed by Raoul Walsh.\n",
        "jumps.md": "Glory is for whoever can jump; the director filmed it.\n",
        "walsh.md": "Raoul Walsh was a director of many films.\n",
    }
    library.add(films, root="films")
    library.encode()
    result = engine.search(SearchRequest('Who directed the film "Jump for Glory"?', mode), Stop())
    assert result.hits[0].path.name == "glory.md"
    assert {"jumps.md", "walsh.md"} <= {hit.path.name for hit in result.hits}
    assert result.note == ""
    note = engine.search(SearchRequest('Who directed the film "Glory for Jump"?', mode), Stop()).note
    assert note == "No passage has “Glory for Jump” word for word."


def test_a_phrase_in_another_form_is_found_by_its_words_apart(library: SmallLibrary, engine: SearchEngine) -> None:
    texts = {
        "reki.md": "Длинные реки текут на север, и они впадают в море. Это было известно уже давно.\n",
        "more.md": "Море было спокойно, но ветер всё же дул с запада, как и каждый день до этого.\n",
    }
    library.add(texts, root="ru")
    asked = engine.search(SearchRequest("что известно о «длинной реке»?", Mode.KEYWORD), Stop())
    assert [hit.path.name for hit in asked.hits] == ["reki.md"]
    assert asked.note == "No passage has “длинной реке” word for word."
    phrase = engine.search(SearchRequest("«длинной реке»", Mode.KEYWORD), Stop())
    assert phrase.hits == ()
    assert phrase.note == "No passage has “длинной реке” word for word."  # nor has one “реке”, but another form
    assert [hit.path.name for hit in phrase.similar] == ["reki.md"]
    assert phrase.languages is None


class Recorded(ColumnarKeywordReader):
    """A keyword index that records the queries it answers."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.asked: list[str] = []

    def search(
        self, query: KeywordQuery, limit: int, allowed: frozenset[ContentId] | None = None, stop: Stop | None = None
    ) -> list[tuple[ChunkId, float]]:
        self.asked.append(repr(query))
        return super().search(query, limit, allowed, stop)


@pytest.mark.parametrize(("query", "searches"), [("customer 420", 1), ('"euros customer"', 1), ("customer anchor", 2)])
def test_words_that_a_text_has_are_looked_up_as_written(library: SmallLibrary, query: str, searches: int) -> None:
    library.add({"boat.md": "The anchor lies ashore.\n", "shop.md": "A customer paid 420 euros.\n"}, root="harbour")
    keywords = Recorded(library.layout.keywords)
    engine = SearchEngine(library.layout.folder, keywords=keywords)
    engine.search(SearchRequest(query, Mode.KEYWORD), Stop())
    engine.close()
    assert len([each for each in keywords.asked if TEXT_STEM in each]) == searches  # for words in any form


def test_a_mail_field_in_a_library_without_mails_is_explained(library: SmallLibrary, engine: SearchEngine) -> None:
    ask = partial(engine.search, stop=Stop())
    assert ask(SearchRequest("from:ada rent")).note == "Only mails have “from:”, and there is no mail in this library."
    assert ask(SearchRequest("ext:xyz")).note == ""
    assert ask(SearchRequest("NOT from:ada")).note == ""
    library.add({"rent.eml": "From: Ada <ada@example.org>\nSubject: Rent\n\nIt is due.\n"}, root="mails")
    assert ask(SearchRequest("from:bob")).note == ""
    assert ask(SearchRequest("from:ada")).hits


@pytest.mark.parametrize(
    ("query", "languages"),
    [
        ("wann ist die Heizung kaputt", ("de", "en")),
        ("租金是多少", ("zh", "en")),
        ("kaputt", None),  # a word alone may be of any language
        ("when will there be zebras", None),
        ("is the rent due", None),  # found by its words
    ],
)
def test_a_query_in_another_language_than_the_documents_is_named(
    library: SmallLibrary, engine: SearchEngine, query: str, languages: tuple[str, str] | None
) -> None:
    english = "The rent is due at the start of each month and it is paid by the tenant to the landlord.\n"
    library.add({f"{n}.txt": english * 3 + f"This is letter {n}.\n" for n in range(3)}, root="english")
    assert engine.search(SearchRequest(query, Mode.KEYWORD), Stop()).languages == languages
    german = "Die Miete ist am Anfang des Monats fällig und wird von dem Mieter an den Vermieter gezahlt.\n"
    library.add({"de.txt": german * 3}, root="german")
    found = engine.search(SearchRequest(query, Mode.KEYWORD), Stop()).languages
    assert found == (languages if languages and languages[0] == "zh" else None)


def test_words_that_no_document_has_are_named_while_the_last_is_typed(
    library: SmallLibrary, engine: SearchEngine
) -> None:
    library.add({"boat.md": "The anchor lies ashore.\n", "shop.md": "A customer paid 420 euros.\n"}, root="harbour")

    def note(query: str) -> str:
        return engine.search(SearchRequest(query, Mode.KEYWORD, unfinished=True), Stop()).note

    assert note("customer zeppelin") == "No document has “zeppelin”."
    assert note("zeppelin custom") == note("zeppelin customer") == "No document has “zeppelin”."
    assert note("customer anch") == note("customer eur") == ""  # the last word may become one that is there
    assert note("customer z") == ""
    assert note("customer z ") == "No document has “z”."
    assert note("+customer +zeppel") == note("+zeppel +customer") == "No document has “zeppel”."
    assert note("customer AND anch") == "No passage has all of these words."


def test_warming_up_changes_no_result_and_needs_no_library(
    engine: SearchEngine, library: SmallLibrary, tmp_path: Path
) -> None:
    before = engine.search(SearchRequest("a cat", Mode.EXACT), Stop())
    assert sum(1 for _ in engine.warm()) > 1
    assert engine.search(SearchRequest("a cat", Mode.EXACT), Stop()).hits == before.hits
    assert sum(1 for _ in SearchEngine(tmp_path / "none").warm()) > 1
