"""Modes `linked` and `linked+rerank`: link boost by titles, hyperlinks, file names and rare names."""

import re

import pytest

from desktop_rag.index.links.link_sync import LinkSync
from desktop_rag.index.links.neighbours import neighbours
from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.api import Mode, Scope, SearchResult
from desktop_rag.retrieval.ranking.hybrid_pool import DEPTH
from desktop_rag.retrieval.ranking.link_boost import link_boosts
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import Ask, SmallLibrary, names

ROOT = "trip"
LINKED_MODES = (Mode.LINKED, Mode.BEST)
FILES = {
    "film.md": "# The Silent Harbour\n\nThe Silent Harbour is a film. It was directed by Mara Lindqvist in a hurry.\n",
    "person.md": "# Mara Lindqvist\n\nShe was born in Oulu and keeps bees.\n",
    "cafe.md": "# A café\n\nThe bees of Mara Lindqvist give honey to this café near Kvikkjokk.\n",
    "hut.md": "# A hut\n\nNobody sleeps in the hut at Kvikkjokk any more.\n",
    "plan.txt": "The plan of the tour is in [[packing list]], and the costs are in [a table](sums/costs%202024.csv).\n",
    "packing list.md": "Socks, a lamp, a knife.\n",
    "sums/costs 2024.csv": "what,euros\nferry,80\n",
}


@pytest.fixture
def linked(library: SmallLibrary) -> SmallLibrary:
    library.add(FILES, root=ROOT)
    library.encode()
    follow(library)
    return library


def follow(library: SmallLibrary) -> None:
    links = LinkSync(library.catalog)
    while links.sync():
        pass


def rank(ask: Ask, query: str, name: str, mode: Mode) -> int:
    return names(ask(query, mode, 30)).index(name)


@pytest.mark.parametrize("mode", LINKED_MODES)
def test_a_document_linked_from_the_top_result_is_boosted(ask: Ask, linked: SmallLibrary, mode: Mode) -> None:
    query = "director of The Silent Harbour birthplace"
    assert names(ask(query, mode))[:2] == ["film.md", "person.md"]


@pytest.mark.parametrize("mode", LINKED_MODES)
def test_hits_for_a_quoted_title_lead_to_what_stands_apart(ask: Ask, linked: SmallLibrary, mode: Mode) -> None:
    asked = 'When did the director of +"The Silent Harbour" take up bees?'
    found = ask(asked, mode)
    assert names(found) == ["film.md"]
    assert found.similar[0].path.name == "person.md"
    assert "person.md" not in [hit.path.name for hit in ask(f"{asked} -Oulu", mode).similar]


def test_what_stands_apart_from_a_quoted_title_is_ranked_by_its_words_too(ask: Ask, linked: SmallLibrary) -> None:
    boats = {f"{n}.md": f"# Boat {n}\n\nThis vessel {n} was painted in the port.\n" for n in range(8)}
    linked.add({**boats, "mark.md": "# Mark\n\n4471-K, 12 t; painted in May.\n"}, root="others")
    linked.encode()
    follow(linked)
    found = ask('Which port repaired and painted vessel 4471-K of +"The Silent Harbour"?', Mode.BEST, 30)
    assert "mark.md" in [hit.path.name for hit in found.similar[:3]], [hit.path.name for hit in found.similar]


@pytest.mark.parametrize("mode", LINKED_MODES)
def test_others_of_a_series_stand_below_another_subject(ask: Ask, linked: SmallLibrary, mode: Mode) -> None:
    text = "# Karlo boat type {0}\n\nThe Karlo boat type {0} crossed the bay with honey.\n"
    linked.add({f"{n}.md": text.format(n) for n in (21, 22, 23)}, root="others")
    linked.add({"bay.md": "# The bay\n\nA Karlo boat, type unknown, crossed the bay with honey.\n"}, root="more")
    linked.encode()
    follow(linked)
    question = "Who crossed the bay with honey in the Karlo boat type 22?"
    named = names(ask(question, mode, 30))
    assert named[:2] == ["22.md", "bay.md"]
    assert names(ask(question.lower(), mode, 30))[1] != "bay.md"


def test_a_title_links_from_anywhere_in_a_text(ask: Ask, linked: SmallLibrary) -> None:
    linked.add(
        {
            "song.md": "# A song\n\nThis song of lanterns was sung in Winter, rain and a borrowed coat.\n",
            "play.md": "# Winter, rain and a borrowed coat\n\nFirst shown in a barn before forty people.\n",
        },
        root="stage",
    )
    linked.encode()
    follow(linked)
    query = "who wrote the song of lanterns"
    assert names(ask(query, Mode.LINKED))[:2] == ["song.md", "play.md"]
    assert rank(ask, query, "play.md", Mode.HYBRID) > 2


def test_a_document_is_linked_by_another_name_that_it_has(ask: Ask, linked: SmallLibrary) -> None:
    linked.add(
        {
            "song.md": "# A song\n\nThis song of lanterns was sung by Kestrel in winter.\n",
            "singer.md": "# Ada Brandt\n\nAda Brandt, better known as Kestrel, keeps goats.\n",
        },
        root="stage",
    )
    linked.encode()
    follow(linked)
    assert names(ask("who sang the song of lanterns", Mode.LINKED))[:2] == ["song.md", "singer.md"]


@pytest.mark.parametrize(
    ("named", "title", "text"),
    [
        ("Its second engine was the ECE", "ECE", "First shown in February."),
        ("It was run by the ZQW", "Zone of Quiet", "The Zone of Quiet (ZQW) was closed in February."),
        ("It was built by Nathan H. Juran", "N. H. Juran", "Born in February."),
        ("It was built by N. Juran", "Nathan Hale Juran", "Born in February."),
        ("It was heard by the band The Who", "The Who", "Formed in February."),
    ],
)
def test_a_document_is_linked_by_short_names_and_initials(
    ask: Ask, linked: SmallLibrary, named: str, title: str, text: str
) -> None:
    files = {"lantern.md": f"# Lantern\n\n{named} near the lighthouse.\n", "target.md": f"# {title}\n\n{text}\n"}
    linked.add(files, root="stage")
    linked.encode()
    follow(linked)
    query = "What stands near the lighthouse of Lantern?"
    assert names(ask(query, Mode.LINKED))[:2] == ["lantern.md", "target.md"]


def test_the_longest_of_the_titles_at_a_place_is_linked(ask: Ask, linked: SmallLibrary) -> None:
    files = {
        "lantern.md": "# Lantern\n\nIt shows the Copper Harbour Regatta near the lighthouse.\n",
        "race.md": "# Copper Harbour Regatta\n\nHeld in February.\n",
        "town.md": "# Copper Harbour\n\nFounded in March.\n",
    }
    linked.add(files, root="stage")
    linked.encode()
    follow(linked)
    found, without = (
        ask("What stands near the lighthouse of Lantern?", mode, 30) for mode in (Mode.LINKED, Mode.HYBRID)
    )
    lifted = {hit.path.name: hit.score for hit in found.hits}
    for hit in without.hits:
        if hit.path.name in ("race.md", "town.md"):
            assert (lifted[hit.path.name] > hit.score + 0.1) is (hit.path.name == "race.md")


def test_a_result_far_below_the_best_lifts_little(ask: Ask, linked: SmallLibrary) -> None:
    film, person, plan, packing = (
        linked.catalog.chunks.ids_of_content(linked.content(name, ROOT))[0]
        for name in ("film.md", "person.md", "plan.txt", "packing list.md")
    )
    boosts = link_boosts(linked.catalog, "Who directed The Silent Harbour?", [(film, 1.0), (plan, 0.5)])
    assert boosts[person] == pytest.approx(4 * boosts[packing])


def test_links_are_resolved_to_files(ask: Ask, linked: SmallLibrary) -> None:
    for target in ("packing list.md", "costs 2024.csv"):
        query = "Where is the plan of the tour?"
        assert rank(ask, query, target, Mode.LINKED) < rank(ask, query, target, Mode.HYBRID) or (
            rank(ask, query, target, Mode.LINKED) <= 2
        )
    assert set(names(ask("plan of the tour", Mode.LINKED))[1:3]) == {"packing list.md", "costs 2024.csv"}


def test_a_rare_name_links_the_chunks_that_share_it(ask: Ask, linked: SmallLibrary) -> None:
    hits = names(ask("Which Café has honey?", Mode.LINKED))
    assert hits[0] == "cafe.md"
    assert set(hits[1:3]) == {"hut.md", "person.md"}


@pytest.mark.parametrize(
    ("query", "lifted"), [("Which Café has bees?", True), ("honey of bees", False), ("Honey has DNA of bees.", False)]
)
def test_shared_names_are_followed_only_from_questions_with_names(
    ask: Ask, linked: SmallLibrary, query: str, *, lifted: bool
) -> None:
    scores = [{hit.path.name: hit.score for hit in ask(query, mode, 30).hits} for mode in (Mode.LINKED, Mode.HYBRID)]
    assert (scores[0].get("hut.md", 0.0) > scores[1].get("hut.md", 0.0) + 0.05) is lifted


def test_a_title_that_many_mention_is_followed_only_from_questions_with_names(ask: Ask, linked: SmallLibrary) -> None:
    notes = {f"note{n}.md": f"# Note {n}\n\nThe Keeping Of Goats fills page {n} of a diary.\n" for n in range(4)}
    linked.add(notes | {"hay.md": "# The Keeping of Goats\n\nHay, salt, a fence.\n"}, root="farm")
    linked.encode()
    follow(linked)
    for query, lifted in (("What is in the diary of Note 2?", True), ("What is on the pages of this diary?", False)):
        hits = {hit.path.name: hit.score for hit in ask(query, Mode.LINKED, 30).hits}
        without = {hit.path.name: hit.score for hit in ask(query, Mode.HYBRID, 30).hits}
        assert (hits["hay.md"] > without["hay.md"] + 0.1) is lifted


def test_a_document_added_later_is_linked(ask: Ask, library: SmallLibrary) -> None:
    library.add({"film.md": FILES["film.md"]}, root=ROOT)
    follow(library)
    library.add({"person.md": FILES["person.md"]}, root="later")
    library.encode()
    follow(library)
    assert names(ask("director of The Silent Harbour birthplace", Mode.LINKED))[1] == "person.md"


def test_links_of_removed_documents_are_removed(ask: Ask, linked: SmallLibrary) -> None:
    database = linked.catalog.database
    content = linked.content("person.md", ROOT)
    linked.catalog.contents.read_again([content])
    while linked.catalog.contents.erase_some():
        pass
    follow(linked)
    assert database.number("SELECT count(*) FROM called WHERE content = ?", (content,)) == 0
    orphans = "SELECT count(*) FROM mention WHERE chunk NOT IN (SELECT id FROM chunk)"
    assert database.number(orphans) == 0
    assert "person.md" not in names(ask("director of The Silent Harbour birthplace", Mode.LINKED))


def test_a_renamed_file_is_found_by_its_new_name(ask: Ask, linked: SmallLibrary) -> None:
    database = linked.catalog.database
    database.execute(
        "UPDATE file SET path = CAST('what to pack.md' AS BLOB) WHERE path = CAST('packing list.md' AS BLOB)"
    )
    follow(linked)
    assert "what to pack.md" not in names(ask("plan of the tour", Mode.LINKED))[1:2]
    database.execute(
        "UPDATE file SET path = CAST('packing list.md' AS BLOB) WHERE path = CAST('what to pack.md' AS BLOB)"
    )
    follow(linked)
    assert "packing list.md" in names(ask("plan of the tour", Mode.LINKED))[1:3]


@pytest.mark.parametrize("mode", LINKED_MODES)
def test_scope_and_required_words_apply_to_linked_chunks(ask: Ask, linked: SmallLibrary, mode: Mode) -> None:
    only = linked.content("film.md", ROOT)
    query = "director of The Silent Harbour birthplace"
    assert names(ask(query, mode, scope=Scope(contents=(only,)))) == ["film.md"]
    assert "person.md" not in names(ask("+harbour director", mode))


@pytest.mark.parametrize(("mode", "same"), [(Mode.LINKED, Mode.HYBRID), (Mode.BEST, Mode.RERANKED)])
def test_without_links_the_order_stays(ask: Ask, library: SmallLibrary, mode: Mode, same: Mode) -> None:
    library.encode()
    assert names(ask("deposit paid back", mode)) == names(ask("deposit paid back", same))


def test_what_a_re_ranked_result_links_to_is_re_ranked_from_any_depth(ask: Ask, linked: SmallLibrary) -> None:
    others = {f"{n}.md": f"# Boat {n}\n\nBoat {n} lies in the harbour.\n" for n in range(DEPTH + 5)}
    linked.add(others, root="others")
    linked.encode()
    follow(linked)
    query = "director of The Silent Harbour birthplace"
    assert "person.md" not in names(ask(query, Mode.RERANKED, DEPTH))
    best = ask(query, Mode.BEST, 30)
    assert names(best)[:2] == ["film.md", "person.md"]
    assert [hit.score for hit in best.hits] == sorted((hit.score for hit in best.hits), reverse=True)


def test_a_new_version_of_name_extraction_rebuilds_the_links(linked: SmallLibrary) -> None:
    database = linked.catalog.database
    before = database.number("SELECT count(*) FROM mention")
    database.execute("UPDATE meta SET value = '0:1' WHERE key = 'linked'")
    links = LinkSync(linked.catalog)
    assert database.number("SELECT count(*) FROM mention") == 0
    while links.sync():
        pass
    assert database.number("SELECT count(*) FROM mention") == before > 0
    assert links.has_reached(linked.catalog.change_log.last_removal())


def mail(number: int, text: str, answers: str = "") -> str:
    head = f"Message-ID: <{number}@example.org>\nFrom: somebody{number}@example.org\nSubject: {number}\n"
    return f"{head}{answers}\n{text}\n\n{CHATTER[number]}\n"


CHATTER = (
    "The heron came back to the jetty. It stood there for an hour and looked at nobody. " * 2,
    "Plums are ripe on the slope behind the church. Whoever climbs may fill a bucket. " * 2,
    "Somebody left a red bicycle at the gate. Its bell rings by itself when trains pass. " * 2,
    "A choir from the next valley sang until midnight. The bakery opened an hour late. " * 2,
)
ASKED = mail(0, "Who services the boiler in the boathouse this winter?")
TOLD = mail(1, "Ilmari does it on Friday, he has the key.", "In-Reply-To: <0@example.org>\n")
THANKED = mail(2, "Splendid, nothing else to do.", "References: <0@example.org> <1@example.org>\n")
STRANGE = mail(3, "A stove is for sale, which somebody services.")


@pytest.fixture(params=["eml", "mbox"])
def mails(request: pytest.FixtureRequest, library: SmallLibrary) -> SmallLibrary:
    """Three mails of a thread whose subjects differ and one that is none of it, in files or in one mailbox."""
    several = (ASKED, STRANGE, TOLD, THANKED)
    if request.param == "mbox":
        box = "\n".join(f"From x Tue Mar  5 14:30:00 2024\n{one}" for one in several)
        library.add({"Inbox.mbox": box}, root="post")
    else:
        library.add({f"{number}.eml": one for number, one in enumerate(several)}, root="post")
    library.encode()
    follow(library)
    return library


def by_author(library: SmallLibrary, result: SearchResult) -> dict[str, float]:
    """Return who wrote the mails that were found, with their scores."""
    texts = library.catalog.chunks.by_id(hit.chunk for hit in result.hits)
    written = ((re.search(r"somebody\d", texts[hit.chunk].text), hit.score) for hit in result.hits)
    return {found.group(): score for found, score in written if found}


def test_mails_of_a_thread_are_linked_both_ways(ask: Ask, mails: SmallLibrary) -> None:
    asked, told = ("who services the boiler", "somebody0"), ("Ilmari has the key", "somebody1")
    for (query, first), (_, other) in ((asked, told), (told, asked)):
        without, linked = (by_author(mails, ask(query, mode, 30)) for mode in (Mode.HYBRID, Mode.LINKED))
        lifted = {author: linked[author] - without[author] for author in linked}
        assert next(iter(linked)) == first
        assert min(lifted[other], lifted["somebody2"]) > 0.1 > lifted["somebody3"]


def test_related_passages_of_a_mail_start_with_its_thread(engine: SearchEngine, mails: SmallLibrary) -> None:
    chunks = mails.catalog.chunks.by_id(map(ChunkId, mails.catalog.database.values(int, "SELECT id FROM chunk")))
    (told,) = (chunk for chunk, known in chunks.items() if "somebody1" in known.text)
    hits = engine.related(told, 10, Stop()).hits
    assert all("somebody0" in text or "somebody2" in text for text in (chunks[hit.chunk].text for hit in hits[:2]))


def test_closer_mails_of_a_thread_have_stronger_links(mails: SmallLibrary) -> None:
    database = mails.catalog.database
    chunks = mails.catalog.chunks.by_id(map(ChunkId, database.values(int, "SELECT id FROM chunk")))
    texts = {chunk: known.text for chunk, known in chunks.items()}
    (asked,) = (chunk for chunk, text in texts.items() if "somebody0" in text)
    (told,) = (chunk for chunk, text in texts.items() if "somebody1" in text)
    (thanked,) = (chunk for chunk, text in texts.items() if "somebody2" in text)
    led = neighbours(mails.catalog.links, texts)
    assert led[told].thread.keys() == {asked, thanked}
    assert led[thanked].thread[told] > led[thanked].thread[asked] > 0
    assert [chunk for chunk, found in led.items() if not found.thread] == [
        chunk for chunk, text in texts.items() if "somebody" not in text or "somebody3" in text
    ]
