"""Questions for all documents of a name: every one is listed, and only mails where mails are asked for."""

from desktop_rag.agent.extractive.listed_titles import listed_titles
from desktop_rag.agent.extractive.question_analysis import analyse
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
    listed = listed_titles(analyse("Which mails mention the crane?"), [offer, *mails])
    assert [one.text for one in listed] == [f"Subject: Crane, report {n}" for n in range(1, 25)]
    assert len(listed_titles(analyse("Which documents mention the crane?"), [offer, *mails])) == 25
