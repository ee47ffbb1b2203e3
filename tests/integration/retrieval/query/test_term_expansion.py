"""Term expansion in a real library: inflected forms by language, file names, and `=Spelled` words."""

import os
from pathlib import Path

import pytest

from desktop_rag.index.catalog.file_names import words_of
from desktop_rag.retrieval.api import Hit, Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import Ask, SmallLibrary, names

GERMAN = """Die alten Häuser am Hafen wurden im vergangenen Jahr von der Stadt gekauft, und nun werden sie
für die Vereine der Stadt umgebaut. Die Verträge mit den Handwerkern sind noch nicht unterschrieben.
"""
FRENCH = """Les chevaux de la ferme sont dans le pré, et les enfants des voisins viennent les voir tous les soirs.
Une année plus tard, les universités de la région ont signé des contrats avec la ferme.
"""
POLISH = """Najemca i wynajmujący podpisali umowę, która jest ważna od marca. Nie było to łatwe, ale już się udało.
Wypowiedzenie umowy musi być na piśmie, a dla pracowników gminy są inne terminy.
"""
TURKISH = """Kiracı ve ev sahibi için bu sözleşmenin süresi bir yıl olarak yazılmıştır, ama daha sonra uzatılabilir.
İşçilerin ücretleri her ay ödenir ve bu çok önemli bir koşul gibi kabul edilir.
"""
CZECH = """Nájemce a pronajímatel podepsali smlouvu, která je platná od března, a to se jim líbilo, protože už byl čas.
Práva pracovníků jsou v ní také, ale jen pokud je to podle zákona.
"""
HUNGARIAN = """A bérlő és a bérbeadó aláírta a szerződést, és ez már nem is volt könnyű, de a végén meg lett.
A városban egy munkavállaló nem lehet bérbeadó, csak ha azt a törvény nem tiltja.
"""
GREEK = """Ο ενοικιαστής και ο ιδιοκτήτης υπέγραψαν τη σύμβαση για το σπίτι, που είναι στην πόλη από την αρχή.
Οι φόροι των εργαζομένων είναι σε ένα άλλο έγγραφο και δεν πρέπει να το ξεχάσει κανείς.
"""
HINDI = """किराएदार और मकान मालिक ने समझौते पर हस्ताक्षर किए हैं और यह एक साल के लिए है।
कर्मचारियों की किताबें इस कमरे में हैं, लेकिन यह किसी का नहीं था।
"""
MINE = """Die Frist für die Kündigung ist drei Monate, und sie beginnt mit dem ersten Tag des Monats.
"""
SPELLINGS = """IT is a department. It is not the pronoun it, says Anna of IT.
The Rent
Act of 1977 protects tenants; a rent act does not. Résumé, resume. C++ and C#, not C.
E-mail it to IT-Support or ITs.
"""


def marked(hit: Hit) -> list[str]:
    return [hit.snippet.text[start:end] for start, end in hit.snippet.marks]


@pytest.mark.parametrize(
    ("query", "file", "mark"),
    [
        ("Haus", "hafen.txt", "Häuser"),
        ("Vertrag AND Stadt", "hafen.txt", "Verträge"),
        ("cheval", "ferme.txt", "chevaux"),
        ("universite", "ferme.txt", "universités"),
        ("contrat", "ferme.txt", "contrats"),
        ("umowa", "pl.txt", "umowę"),
        ("pracownik", "pl.txt", "pracowników"),
        ("sözleşme", "tr.txt", "sözleşmenin"),
        ("işçi", "tr.txt", "İşçilerin"),
        ("smlouva", "cs.txt", "smlouvu"),
        ("pracovník", "cs.txt", "pracovníků"),
        ("szerződések", "hu.txt", "szerződést"),
        ("város", "hu.txt", "városban"),
        ("φόρος", "el.txt", "φόροι"),
        ("συμβάσεις", "el.txt", "σύμβαση"),
        ("समझौता", "hi.txt", "समझौते"),
        ("किताब", "hi.txt", "किताबें"),
    ],
)
def test_a_word_finds_its_forms_in_the_language_of_a_text(
    library: SmallLibrary, ask: Ask, query: str, file: str, mark: str
) -> None:
    written = {"pl": POLISH, "tr": TURKISH, "cs": CZECH, "hu": HUNGARIAN, "el": GREEK, "hi": HINDI}
    files = {"hafen.txt": GERMAN, "ferme.txt": FRENCH} | {f"{code}.txt": text for code, text in written.items()}
    library.add(files, "more")
    hits = ask(query).hits
    assert hits[0].path.name == file
    assert mark in marked(hits[0])


def test_stop_words_in_the_language_of_the_question_are_ignored(library: SmallLibrary, ask: Ask) -> None:
    library.add({"hafen.txt": GERMAN, "die.txt": "Der der der und und von von die die, die für: noch nicht."}, "more")
    assert names(ask("Wer hat die Häuser von der Stadt für die Vereine gekauft?")) == ["hafen.txt"]
    assert "die.txt" in names(ask("die"))
    assert set(names(ask('"noch nicht"'))) == {"hafen.txt", "die.txt"}


@pytest.mark.parametrize(
    ("question", "file", "asking"),
    [
        ("Kiedy i gdzie jest umowa?", "umowa.txt", "Kiedy? Gdzie? Jest i jest, kiedy nie jest, gdzie nie jest."),
        ("Πού και πότε είναι η σύμβαση;", "symvasi.txt", "Πού; Πότε; Είναι και δεν είναι, πού και πότε."),
    ],
)
def test_words_that_ask_are_not_searched_for(
    library: SmallLibrary, ask: Ask, question: str, file: str, asking: str
) -> None:
    library.add({file: POLISH if file == "umowa.txt" else GREEK, "asking.txt": asking}, "more")
    assert names(ask(question)) == [file]


def test_a_compound_finds_its_parts_in_german_texts_after_itself(library: SmallLibrary, ask: Ask) -> None:
    whole = "Die Kündigungsfrist ist im Vertrag, und der ist bei den Akten, die in der Schublade sind."
    library.add({"mine.txt": MINE, "whole.txt": whole, "en.txt": "A frist is no word, nor is kundigung."}, "more")
    found = ask("Kündigungsfrist")
    assert names(found) == ["whole.txt", "mine.txt"]
    assert marked(found.hits[1]) == ["Frist", "Kündigung"]
    assert names(ask('"Kündigungsfrist"')) == names(ask("Kündigungsfrist AND Akten")) == ["whole.txt"]


def test_phrases_stay_exact_in_any_language(library: SmallLibrary, ask: Ask) -> None:
    library.add({"hafen.txt": GERMAN}, "more")
    assert names(ask('"alten Häuser"')) == ["hafen.txt"]
    assert names(ask('"alten Haus"')) == []
    assert names(ask("=Haus")) == []


@pytest.mark.parametrize(
    ("query", "marks"),
    [
        ("=IT", ["IT", "IT"]),
        ("=It", ["It"]),
        ('="Rent Act"', ["Rent Act"]),
        ('="rent act"', ["rent act"]),
        ("=Résumé", ["Résumé"]),
        ("=resume", ["resume"]),
        ("=C++", ["C++"]),
        ("=C#", ["C#"]),
        ("=tenants", ["tenants"]),
        ("=1977", ["1977"]),
    ],
)
@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.EXACT])
def test_a_spelling_matches_case_accents_and_inflection(
    library: SmallLibrary, ask: Ask, query: str, marks: list[str], mode: Mode
) -> None:
    library.add({"spellings.txt": SPELLINGS, "other.txt": "nothing of that; tenant, Tenants"}, "more")
    result = ask(query, mode)
    assert [name for name in names(result) if name in ("spellings.txt", "other.txt")] == ["spellings.txt"]
    if mode is Mode.KEYWORD:
        (hit,) = (hit for hit in result.hits if hit.path.name == "spellings.txt")
        assert marked(hit)[:2] == marks


def test_an_absent_spelling_is_not_found(library: SmallLibrary, ask: Ask) -> None:
    library.add({"spellings.txt": SPELLINGS}, "more")
    for query in ("=iT", "=RENT", '="rent Act"', "=Resume", "=Tenant", "=Support-IT"):
        assert names(ask(query)) == []
        assert names(ask(query, Mode.EXACT)) == []


def test_a_spelling_combines_with_other_words(library: SmallLibrary, ask: Ask) -> None:
    library.add({"a.txt": "IT budget", "b.txt": "it budget", "c.txt": "IT plan"}, "more")
    assert names(ask("=IT AND budget")) == ["a.txt"]
    assert "a.txt" not in names(ask("budget -=IT"))
    assert "b.txt" in names(ask("budget -=IT"))
    assert names(ask("budget =IT")) == ["a.txt", "c.txt"]
    assert set(names(ask("=IT OR =budget", Mode.EXACT))) >= {"a.txt", "b.txt", "c.txt"}


def test_a_rare_spelling_is_found_among_many(library: SmallLibrary, ask: Ask) -> None:
    many = {f"{number}.txt": f"Note {number}: it is it, it and it again." for number in range(150)}
    library.add({**many, "only.txt": "A long note about many other things, and a word on IT at its end."}, "more")
    assert names(ask("=IT", limit=3)) == ["only.txt"]
    assert names(ask("=IT OR =Nowhere", limit=3)) == ["only.txt"]
    assert len(names(ask("it", limit=20))) == 20


def test_accents_in_two_characters_are_the_same_spelling(library: SmallLibrary, ask: Ask) -> None:
    library.add(
        {"old.txt": "A cafe\u0301 by the sea", "new.txt": "A café by the sea", "bare.txt": "A cafe there"}, "more"
    )
    assert set(names(ask("=café"))) == {"old.txt", "new.txt"}
    assert names(ask("=cafe")) == ["bare.txt"]


def test_a_file_is_found_by_its_name(library: SmallLibrary, ask: Ask) -> None:
    library.add(
        {"finance/budget_2023-final.csv": "a,b\n1,2\n", "x.txt": "A budget is a plan. In 2023 it rained."}, "more"
    )
    assert names(ask("budget 2023"))[0] == "budget_2023-final.csv"
    assert names(ask("budget AND 2023 AND final")) == ["budget_2023-final.csv"]
    assert names(ask("budgets final"))[0] == "budget_2023-final.csv"
    assert names(ask("csv")) == []
    assert names(ask("finance")) == []
    assert names(ask("content:final")) == []


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID, Mode.BEST])
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("lease_2020.txt", True),
        ("LEASE_2020.TXT", True),
        ("where is lease_2020.txt", True),
        ("lease_2020.txt AND plank", True),
        ("title:lease_2020.txt", True),
        ("lease_2020.pdf", False),
        ("content:lease_2020.txt", False),
        ("lease_2020.txt -plank", False),
    ],
)
def test_a_file_is_found_by_its_name_with_the_extension(
    library: SmallLibrary, engine: SearchEngine, mode: Mode, query: str, found: bool
) -> None:
    library.add({"lease_2020.txt": "A plank.", "x.txt": "Boards of oak."}, "more")
    result = engine.search(SearchRequest(query, mode), Stop())
    by_words = [hit.path.name for hit in result.hits if hit.why.keyword_rank or not mode.by_meaning]
    assert ("lease_2020.txt" in by_words) is found


def test_a_renamed_file_is_found_by_its_new_name_without_being_indexed(
    library: SmallLibrary, engine: SearchEngine
) -> None:
    folder = library.add({"notes.txt": "Some words."}, "more")
    written = library.keywords.watermark

    def found(query: str) -> list[str]:
        return names(engine.search(SearchRequest(query, Mode.KEYWORD), Stop()))

    assert found("notes") == ["notes.txt"]
    path = library.files / "more" / "notes.txt"
    path.rename(path.with_name("Steuererklärung.txt"))
    file = library.catalog.files.of_folder(folder)[b"notes.txt"]
    library.catalog.database.execute(
        "UPDATE file SET path = ? WHERE id = ?", (os.fsencode("Steuererklärung.txt"), file.id)
    )
    # While the catalog is written, names are looked at some moments later.
    while found("steuererklarung") != ["Steuererklärung.txt"]:
        pass
    assert found("notes") == []
    assert library.keywords.watermark == written


def test_a_prefix_of_a_file_name_matches_while_typing(library: SmallLibrary, engine: SearchEngine) -> None:
    library.add({"Wohnungsübergabe.txt": "Some words."}, "more")
    request = SearchRequest("wohnungsub", Mode.KEYWORD, unfinished=True)
    assert names(engine.search(request, Stop())) == ["Wohnungsübergabe.txt"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("1,234.50", {"a.txt", "b.txt", "c.txt"}),
        ("1234.50", {"a.txt", "b.txt", "c.txt"}),
        ("1.234,50", {"a.txt", "b.txt", "c.txt"}),
        ("=1.234,50", {"b.txt"}),
        ("jo.doe@example.org", {"mail.txt"}),
        ("doe", {"mail.txt"}),
        ("AB-1234/5", {"part.txt"}),
        ("1234/5", {"part.txt"}),
        ("http request", {"code.py", "snake.py"}),
        ("parse_http_request", {"code.py", "snake.py"}),
        ("parseHttpRequest", {"code.py", "snake.py"}),
        ("parsehttprequest", {"code.py"}),
    ],
)
def test_numbers_addresses_and_codes_are_found_whole_and_in_parts(
    library: SmallLibrary, ask: Ask, query: str, found: set[str]
) -> None:
    files = {
        "a.txt": "Total: 1,234.50 EUR",
        "b.txt": "Summe: 1.234,50 EUR",
        "c.txt": "Sum: 1234.50 EUR",
        "d.txt": "Then 234 of them, 50 each",
        "mail.txt": "Write to jo.doe@example.org today",
        "part.txt": "Order AB-1234/5 again",
        "code.py": "x = parseHttpRequest(y)",
        "snake.py": "x = parse_http_request(y)",
    }
    library.add(files, "more")
    assert set(names(ask(query, default_and=True))) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("+SORREL-2", {"trial.txt"}),
        ("+SORREL-3", set()),
        ("adults NOT SORREL-3", {"trial.txt"}),
        ("adults NOT SORREL-2", set()),
        ("SORREL-3 AND adults", set()),
    ],
)
def test_a_code_is_demanded_whole(library: SmallLibrary, ask: Ask, query: str, found: set[str]) -> None:
    text = "The SORREL-2 trial randomised 1,204 adults. The number needed to treat was 3."
    library.add({"trial.txt": text}, "more")
    assert set(names(ask(query))) == found


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (b"budget_2023.xlsx", {"budget", "2023"}),
        (b"Budget2023.tar.gz", {"budget2023", "budget", "2023", "tar"}),
        (b"myFinalReport", {"myfinalreport", "my", "final", "report"}),
        ("Übersicht Mieten.pdf".encode(), {"ubersicht", "mieten"}),
        (b"v1.2", {"v1", "v", "1", "2"}),
        (b".profile", {"profile"}),
        (b"\xff\xfe.txt", set()),
    ],
)
def test_words_of_a_file_name(name: bytes, words: set[str]) -> None:
    assert words <= words_of(name)
    assert Path("x").suffix.strip(".") not in words_of(name)
