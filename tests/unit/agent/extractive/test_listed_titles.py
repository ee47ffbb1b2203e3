"""Questions for all documents of a name: every one is listed, and only mails where mails are asked for."""

from desktop_rag.agent.extractive.question_analysis import analyse
from desktop_rag.agent.extractive.structured.listed_titles import (
    documents_that_mention,
    listed_titles,
    mentioning,
    named_titles,
)
from desktop_rag.llm.chat import Evidence, ToolMessage


def _read(number: int, file: str, title: str, *lines: str) -> ToolMessage:
    evidence = Evidence(f"turn1open{number}", title, 1, lines, file=file)
    return ToolMessage("builtin5.1.1", "open", "", (evidence,))


def test_every_mail_is_listed_by_its_subject_and_no_other_document() -> None:
    mails = [
        _read(
            n, f"crane-{n:02}.eml", f"Crane, report {n}", "From: Ruth", "To: Board", "", f"Subject: Crane, report {n}"
        )
        for n in range(1, 25)
    ]
    offer = _read(30, "offer.md", "Offer of Acme Cranes", "# Offer of Acme Cranes")
    listed = listed_titles(analyse("Which mails are about the crane?"), [offer, *mails])
    assert [one.text for one in listed] == [f"Subject: Crane, report {n}" for n in range(1, 25)]
    assert len(listed_titles(analyse("Which documents are about the crane?"), [offer, *mails])) == 25
    assert not listed_titles(analyse("Which documents mention the crane?"), [offer, *mails])  # others may, too


def test_a_name_inside_of_a_longer_word_of_a_file_name_is_found() -> None:
    files = ("LOCKHEEDMARTIN_2021_10K.txt", "LOCKHEEDMARTIN_2022_10K.txt")
    filings = [_read(number, file, file, "FORM 10-K") for number, file in enumerate(files)]
    offer = _read(30, "offer.md", "Offer of Acme Cranes", "# Offer of Acme Cranes")
    listed = listed_titles(analyse("Which documents of Lockheed Martin do I have?"), [offer, *filings])
    assert [one.title for one in listed] == list(files)
    assert named_titles([one.title for one in listed]) == f": {files[0]}, {files[1]}"


def test_documents_that_mention_a_name_are_listed_also_by_the_same_line() -> None:
    letters = [_read(n, f"letter-{n}.txt", f"Letter {n}", "Brackwell Lettings Ltd", "Dear Sir,") for n in (1, 2)]
    other = _read(3, "notes.txt", "Notes", "The containers are full.")
    asked = analyse("Which documents mention Brackwell?")
    found = mentioning(asked, [*letters, other])
    assert [one.text for one in found] == ["Brackwell Lettings Ltd", "Brackwell Lettings Ltd"]
    said = documents_that_mention(asked, found)
    assert said == "2 documents that were read mention “Brackwell”: Letter 1, Letter 2:"
    assert not mentioning(analyse("List all containers"), [*letters, other])  # asks for no documents
