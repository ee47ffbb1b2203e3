"""The real painter process: rendered pages, and its failures."""

import io
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pymupdf
import pytest
from PIL import Image

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.render.painter_client import Painter
from desktop_rag.documents.render.painter_messages import PagePainted, PageRead
from desktop_rag.errors import DocumentError, Stopped
from desktop_rag.stop import Stop
from tests.child_processes import child_processes
from tests.integration.documents.conftest import make_pdf


@pytest.fixture(scope="module")
def painter() -> Iterator[Painter]:
    painter = Painter()
    yield painter
    painter.close()


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    path = tmp_path / "lease.pdf"
    path.write_bytes(make_pdf(["The tenant pays the rent.", "Second page."]))
    return path


def ink(page: PagePainted) -> "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]":
    pixels = np.frombuffer(page.pixels, np.uint8).reshape(page.height, page.stride)
    return pixels[:, : page.width * 3 : 3] < 128


@pytest.mark.processes
def test_an_opened_file_has_the_sizes_of_its_pages(painter: Painter, lease: Path) -> None:
    assert painter.open(lease).sizes == ((595.0, 842.0), (595.0, 842.0))


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_rendered_words_are_inside_the_boxes_of_the_reader(painter: Painter, tmp_path: Path, rotation: int) -> None:
    with pymupdf.open() as file:
        page = file.new_page(width=600, height=800)
        page.insert_text((150, 200), "Upper left words", fontsize=14)
        page.insert_text((330, 540), "Words further down", fontsize=12)
        page.set_cropbox(pymupdf.Rect(100, 130, 520, 640))
        page.set_rotation(rotation)
        data = file.tobytes()
    path = tmp_path / "turned.pdf"
    path.write_bytes(data)
    document = read_document("a.pdf", data)
    assert painter.open(path).sizes == ((document.pages[0].width, document.pages[0].height),)
    dark = ink(painter.paint(1, 2.0))
    for line in document.lines():
        if line.box:
            box = line.box
            inside = dark[int(box.y0 * 2) - 1 : int(box.y1 * 2) + 2, int(box.x0 * 2) - 1 : int(box.x1 * 2) + 2]
            assert inside.any()
            inside[:] = False
    assert not dark.any()


def test_a_page_is_painted_at_the_scale_asked_for(painter: Painter, lease: Path) -> None:
    painter.open(lease)
    page = painter.paint(2, 1.5)
    assert (page.number, page.scale) == (2, 1.5)
    assert abs(page.width - 892) <= 1
    assert abs(page.height - 1263) <= 1
    assert len(page.pixels) == page.stride * page.height


def colors_at(page: PagePainted, *points: tuple[float, float]) -> list[tuple[int, ...]]:
    """Return the colours at positions in points."""
    pixels = np.frombuffer(page.pixels, np.uint8).reshape(page.height, page.stride)
    places = [(int(y * page.scale), 3 * int(x * page.scale)) for x, y in points]
    return [tuple(int(part) for part in pixels[row, column : column + 3]) for row, column in places]


def picture(color: tuple[int, int, int], size: int = 20) -> bytes:
    """Return a picture of one colour as PNG."""
    data = io.BytesIO()
    Image.new("RGB", (size, size), color).save(data, "PNG")
    return data.getvalue()


@pytest.mark.parametrize("rotation", [0, 90])
def test_a_dark_page_keeps_hues_and_photographs(painter: Painter, tmp_path: Path, rotation: int) -> None:
    with pymupdf.open() as file:
        page = file.new_page(width=400, height=400)
        page.draw_rect(pymupdf.Rect(10, 10, 40, 40), color=None, fill=(0, 0, 0))
        page.draw_rect(pymupdf.Rect(60, 10, 90, 40), color=None, fill=(0.8, 0, 0))
        page.draw_rect(pymupdf.Rect(10, 60, 40, 90), color=None, fill=(0, 0, 1))
        page.draw_rect(pymupdf.Rect(60, 60, 90, 90), color=None, fill=(1, 1, 0))
        page.insert_image(pymupdf.Rect(110, 10, 150, 50), stream=picture((90, 140, 60)))
        page.insert_image(pymupdf.Rect(170, 10, 210, 50), stream=picture((255, 255, 255)))
        page.set_rotation(rotation)
        (tmp_path / "page.pdf").write_bytes(file.tobytes())
    painter.open(tmp_path / "page.pdf")
    points = ((300.0, 300.0), (25.0, 25.0), (75.0, 25.0), (130.0, 30.0), (190.0, 30.0), (25.0, 75.0), (75.0, 75.0))
    turned = [(400 - y, x) for x, y in points] if rotation else list(points)
    paper, ink_, red, photo, scan, link, ground = colors_at(
        painter.paint(1, 2.0, paper=0x1D1F24, ink=0xE7E9EE), *turned
    )
    assert (paper, ink_, scan) == ((0x1D, 0x1F, 0x24), (0xE7, 0xE9, 0xEE), (0x1D, 0x1F, 0x24))
    assert red[0] > red[1] + 80
    assert red[0] > red[2] + 80
    assert min(link[0], link[1]) > 110  # it can be read on the paper
    assert link[2] > link[0] + 40  # and is still blue
    assert max(ground) < 90  # light text on a yellow ground can be read
    assert ground[0] > ground[2]
    assert photo == (72, 112, 48)
    assert colors_at(painter.paint(1, 2.0), turned[0], turned[1]) == [(255, 255, 255), (0, 0, 0)]


def test_a_huge_picture_is_painted_smaller(painter: Painter, lease: Path) -> None:
    painter.open(lease)
    page = painter.paint(1, 100.0)
    assert page.scale < 10
    assert page.width * page.height <= 33_000_000


def test_a_page_that_does_not_exist_is_refused(painter: Painter, lease: Path) -> None:
    painter.open(lease)
    with pytest.raises(DocumentError, match="does not exist"):
        painter.paint(3, 1.0)


@pytest.mark.processes
def test_the_painter_restarts_after_a_crash(painter: Painter, lease: Path) -> None:
    painter.open(lease)
    for child in child_processes("_painter"):
        child.kill()
        child.wait(60)
    assert ink(painter.paint(1, 1.0)).any()


def test_a_damaged_or_missing_file_is_refused_with_a_sentence(painter: Painter, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 rubbish")
    with pytest.raises(DocumentError, match="damaged"):
        painter.open(broken)
    with pytest.raises(DocumentError, match=r"gone\.pdf cannot be opened"):
        painter.open(tmp_path / "gone.pdf")
    with pytest.raises(DocumentError, match="No document is open"):
        painter.paint(1, 1.0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_refused(painter: Painter, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.pdf"
    os.mkfifo(pipe)
    with pytest.raises(DocumentError, match="is not a file"):
        painter.open(pipe)


def test_stop_is_obeyed_before_painting(painter: Painter, lease: Path) -> None:
    painter.open(lease)
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        painter.paint(1, 1.0, stop)
    assert ink(painter.paint(1, 1.0)).any()


def _run_with(read: PageRead, words: str) -> tuple[str, list[tuple[float, float, float, float]]]:
    run = next(run for run in read.runs if words in run.text)
    numbers = memoryview(run.boxes).cast("f").tolist()
    return run.text, list(zip(*(numbers[side::4] for side in range(4)), strict=True))


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_ink_of_each_character_is_in_its_box_on_a_rotated_page(
    painter: Painter, tmp_path: Path, rotation: int
) -> None:
    path = tmp_path / "turned.pdf"
    with pymupdf.open() as file:
        page = file.new_page(width=400, height=300)
        page.insert_text((60, 80), "HHHH IIII", fontsize=20)
        page.set_rotation(rotation)
        path.write_bytes(file.tobytes())
    opened = painter.open(path)
    assert opened.sizes[0] == ((400, 300) if rotation in (0, 180) else (300, 400))
    text, boxes = _run_with(painter.read(1), "HHHH")
    picture = painter.paint(1, 1.0)
    assert text == "HHHH IIII"
    assert len(boxes) == len(text)
    for letter, (x0, y0, x1, y1) in zip(text, boxes, strict=True):
        inside = [
            picture.pixels[row * picture.stride + 3 * column]
            for row in range(int(y0), int(y1) + 1)
            for column in range(int(x0), int(x1) + 1)
        ]
        assert (min(inside) < 128) is (letter != " ")


def test_a_picture_has_one_page_and_no_text(painter: Painter, tmp_path: Path) -> None:
    path = tmp_path / "dot.png"
    with pymupdf.open() as file:
        path.write_bytes(file.new_page(width=40, height=30).get_pixmap().tobytes("png"))
    assert len(painter.open(path).sizes) == 1
    assert painter.read(1).runs == ()
    assert painter.paint(1, 1.0).pixels[0] == 255


def test_a_file_that_is_not_a_picture_is_refused_with_a_sentence(painter: Painter, tmp_path: Path) -> None:
    path = tmp_path / "no.png"
    path.write_bytes(b"not a picture at all")
    with pytest.raises(DocumentError, match=r"damaged|has no pages"):
        painter.open(path)
