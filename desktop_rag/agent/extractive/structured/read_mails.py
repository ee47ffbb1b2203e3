"""The mails that were read: files of one mail, and the single mails of a mailbox, each as a document of its own."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from desktop_rag.agent.extractive.quantities.read_tables import DocumentLines, read_documents
from desktop_rag.llm.chat import ToolMessage

MAILBOXES = (".mbox", ".mbx", ".pst", ".ost")
_FROM = re.compile(r"from\s*:\s*\S", re.IGNORECASE)
_NEXT = re.compile(r"(?:to|cc|bcc|date|subject)\s*:", re.IGNORECASE)


def read_mails(results: Sequence[ToolMessage]) -> Iterator[DocumentLines]:
    """Yield the documents that were read, of mailboxes the single mails; their lines keep their numbers."""
    for document in read_documents(results):
        yield from _mails(document) if document.file.lower().endswith(MAILBOXES) else (document,)


def _mails(mailbox: DocumentLines) -> Iterator[DocumentLines]:
    lines = mailbox.lines
    heads = [
        number
        for number, (line, _) in sorted(lines.items())
        if _FROM.match(line)
        and _NEXT.match(lines.get(number + 1, ("", ""))[0])
        and not lines.get(number - 1, ("", ""))[0]
    ]
    for first, after in pairwise((*heads, max(lines, default=0) + 1)):
        own = {number: line for number, line in lines.items() if first <= number < after}
        yield DocumentLines(mailbox.file, mailbox.title, lines[first][1], own, unclear=mailbox.unclear)
