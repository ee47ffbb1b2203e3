"""The recipes of docs/links.md on the files of the programs: a vault of Obsidian, notes and items of Zotero."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import RunStopped
from desktop_rag.text.desktop_links import OpenLink, parse_link
from tests.integration.cli.conftest import Program

pytestmark = pytest.mark.processes

FLAT = """---
tags: [home, lease]
aliases: [The flat]
---
# Flat in Leith

> [!quote] Rent
> The rent of the flat is 1,310 euros. ^rent

See [[Lease agreement#Notice|the notice period]] and ![[plan.png]]. ==Ask the landlord== %%about the floor%%
"""
LEASE = "# Lease agreement\n\n## Notice\n\nEither side gives six months' notice.\n"
# As Zotero writes a note with an annotation: data for Zotero in attributes, the words between.
NOTE = """<div data-citation-items="%5B%7B%22uris%22%3A%5B%22http%3A%2F%2Fzotero.org%2Fitems%2FABCD1234%22%5D%7D%5D"
data-schema-version="9"><h1>Annotations</h1>
<p><span class="highlight" data-annotation="%7B%22pageLabel%22%3A%2212%22%7D">“Spruce masts last forty years”</span>
<span class="citation" data-citation="%7B%22citationItems%22%3A%5B%5D%7D">(<span class="citation-item">Keel, 2019, p.
12</span>)</span></p></div>
"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:z="http://www.zotero.org/namespaces/export#" xmlns:dcterms="http://purl.org/dc/terms/"
 xmlns:bib="http://purl.org/net/biblio#" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <bib:Article rdf:about="http://example.org/masts">
        <z:itemType>journalArticle</z:itemType>
        <dcterms:isReferencedBy rdf:resource="#item_7"/>
        <dc:title>Masts of spruce</dc:title>
    </bib:Article>
    <bib:Memo rdf:about="#item_7">
        <rdf:value>&lt;p&gt;The &lt;em&gt;garboard&lt;/em&gt; strake is of larch.&lt;/p&gt;</rdf:value>
    </bib:Memo>
</rdf:RDF>
"""


@pytest.fixture
def noted(tmp_path: Path) -> Program:
    """A program whose library is a vault and what Zotero has exported."""
    vault, zotero = tmp_path / "My vault", tmp_path / "zotero"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / ".obsidian" / "workspace.json").write_text('{"lastOpenFiles": ["larchwood.md"]}', encoding="utf-8")
    (vault / "Flat in Leith.md").write_text(FLAT, encoding="utf-8")
    (vault / "Lease agreement.md").write_text(LEASE, encoding="utf-8")
    zotero.mkdir()
    (zotero / "Annotations.html").write_text(NOTE, encoding="utf-8")
    (zotero / "My Library.rdf").write_text(RDF, encoding="utf-8")
    program = Program(tmp_path / "home")
    assert program.run("index", vault, zotero).code == 0
    return program


def first_hit(program: Program, words: str) -> tuple[str, str]:
    """Return the name and the text of the best hit."""
    hits = program.run("search", words, "--mode", "keyword", "--json").object["hits"]
    assert isinstance(hits, list)
    best = hits[0] if hits else {"path": "", "snippet": ""}
    return Path(best["path"]).name, best["snippet"]


def test_a_vault_is_searched_without_the_settings_of_its_program(noted: Program, tmp_path: Path) -> None:
    assert first_hit(noted, "rent of the flat")[0] == "Flat in Leith.md"
    assert first_hit(noted, "tag:lease landlord")[0] == "Flat in Leith.md"
    assert first_hit(noted, "larchwood") == ("", "")
    assert "is hidden" in noted.run("why", tmp_path / "My vault" / ".obsidian" / "workspace.json").out


def test_notes_of_zotero_are_found_by_their_words_not_by_its_data(noted: Program) -> None:
    name, text = first_hit(noted, "spruce masts forty")
    assert name == "Annotations.html"
    assert "“Spruce masts last forty years” (Keel, 2019, p. 12)" in " ".join(text.split())
    assert first_hit(noted, "ABCD1234") == ("", "")
    assert first_hit(noted, "garboard strake")[0] == "My Library.rdf"


def test_a_note_that_cites_the_vault_is_checked(noted: Program, tmp_path: Path) -> None:
    vault = tmp_path / "My vault"
    link = str(noted.run("open", f"{vault / 'Flat in Leith.md'}:8", "--json").object["link"])
    opened = parse_link(link)
    assert isinstance(opened, OpenLink)
    assert (opened.path, opened.first_line) == (str(vault / "Flat in Leith.md"), 8)
    assert not re.search(r"[\s()\[\]]", link), "it would end the Markdown link"
    note = vault / "Moving.md"
    cited = "[Flat](Flat%20in%20Leith.md#L8)"
    note.write_text(f"The rent of the flat is 1,310 euros {cited}.\n", encoding="utf-8")
    assert noted.run("cite", note).code == 0
    note.write_text(f"The rent of the flat is 1,130 euros {cited}.\n", encoding="utf-8")
    told = noted.run("cite", note)
    assert (told.code, "is not written in the cited lines" in told.out) == (1, True)


def test_a_conversation_is_written_into_the_vault_and_found_there(noted: Program, tmp_path: Path) -> None:
    with closing(ConversationStore(noted.library.conversations)) as store:
        turn = Turn(1, "How wide is the hallway?", (RunStopped("The hallway is 90 cm wide.", (), 0.0),), 1)
        store.save(store.begin(turn.question), turn)
    file = tmp_path / "My vault" / "hallway.md"
    assert noted.run("export", "last", "--out", file).code == 0
    assert noted.run("index").code == 0
    assert first_hit(noted, "hallway 90 cm")[0] == "hallway.md"
