"""Replies of children that read untrusted files are validated before use, also under `python -O`."""

import io
from pathlib import Path

import pytest

from desktop_rag.documents.render.painter_client import Painter
from desktop_rag.documents.render.painter_messages import PagePainted, PageRead, PagesOpened, PrintedText
from desktop_rag.documents.sandbox.limited_child import LimitedChild
from desktop_rag.documents.sandbox.reader_client import ReaderChild
from desktop_rag.errors import DocumentError
from desktop_rag.stop import Stop

OPENED = PagesOpened(((100.0, 100.0),))
PAINTED = PagePainted(1, 1.0, 2, 2, 6, bytes(12))
READ = PageRead(1, (PrintedText("ab", bytes(32)),))


class Liar:
    """Replies instead of a child, and counts how often it is killed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.replies: list[object] = []
        self.ended = 0
        monkeypatch.setattr(LimitedChild, "ask", lambda *_: self.replies.pop(0))
        monkeypatch.setattr(LimitedChild, "end", lambda _: self.end())
        monkeypatch.setattr(LimitedChild, "pid", 1)

    def end(self) -> None:
        self.ended += 1


@pytest.fixture
def liar(monkeypatch: pytest.MonkeyPatch) -> Liar:
    return Liar(monkeypatch)


@pytest.fixture
def painter(liar: Liar, tmp_path: Path) -> Painter:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"x")
    painter = Painter()
    liar.replies = [OPENED]
    assert painter.open(path) == OPENED
    return painter


def test_valid_replies_are_accepted(liar: Liar, painter: Painter) -> None:
    liar.replies = [PAINTED, READ]
    assert painter.paint(1, 1.0) == PAINTED
    assert painter.read(1) == READ
    assert liar.ended == 0


@pytest.mark.parametrize(
    "reply",
    [
        OPENED,
        READ,
        PagePainted(2, 1.0, 2, 2, 6, bytes(12)),  # another page
        PagePainted(1, 1.0, 2, 2, 6, bytes(11)),  # fewer pixels than declared
        PagePainted(1, 1.0, 3, 2, 6, bytes(12)),  # rows that are too short
        PagePainted(1, 1.0, -2, -2, -6, bytes(12)),
    ],
)
def test_a_painted_page_with_wrong_sizes_kills_the_painter(liar: Liar, painter: Painter, reply: object) -> None:
    liar.replies = [reply]
    with pytest.raises(DocumentError, match="invalid reply"):
        painter.paint(1, 1.0)
    assert liar.ended == 1


@pytest.mark.parametrize("reply", [PAINTED, PageRead(2, ()), PageRead(1, (PrintedText("ab", bytes(31)),))])
def test_a_read_page_with_wrong_sizes_kills_the_painter(liar: Liar, painter: Painter, reply: object) -> None:
    liar.replies = [reply]
    with pytest.raises(DocumentError, match="invalid reply"):
        painter.read(1)
    assert liar.ended == 1


def test_a_reply_of_another_type_kills_the_painter(liar: Liar, painter: Painter, tmp_path: Path) -> None:
    liar.replies = [PAINTED]
    with pytest.raises(DocumentError, match="invalid reply"):
        painter.open(tmp_path / "a.pdf")
    assert liar.ended == 1


def test_a_reply_of_another_type_kills_the_reader(liar: Liar) -> None:
    child = ReaderChild()
    liar.replies = [PAINTED]
    with pytest.raises(DocumentError, match="invalid reply"):
        child.read(io.BytesIO(b"x"), "a.txt", 1, Stop())
    assert liar.ended == 1
