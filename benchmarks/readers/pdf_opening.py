"""The cost of a PDF page: its text alone, its lines with positions, and `mutool draw -F txt` for comparison."""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.measuring import in_turns
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.pdf.open_pdf import open_pdf

MUTOOL = "mutool draw -F txt"
TEXT = "text alone"
PLACED = "lines with positions"


def text_alone(data: bytes) -> Iterator[str]:
    """Yield the text of each page in MuPDF's order, through the same binding as the reader."""
    from pymupdf import TEXT_MEDIABOX_CLIP, mupdf

    with open_pdf(data) as file:
        for number in range(file.page_count):
            page = file.load_page(number)
            stext = mupdf.FzStextPage(mupdf.fz_bound_page(page.this))
            device = mupdf.fz_new_stext_device(stext, mupdf.FzStextOptions(TEXT_MEDIABOX_CLIP))
            mupdf.fz_run_page(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
            mupdf.fz_close_device(device)
            buffer = mupdf.FzBuffer(4096)
            out = mupdf.FzOutput(buffer)
            mupdf.fz_print_stext_page_as_text(out, stext)
            out.fz_close_output()
            yield mupdf.fz_buffer_extract_copy(buffer).decode("utf-8", "replace")


def seconds_by_way(paths: Sequence[Path], rounds: int) -> dict[str, tuple[float, ...]]:
    """Return the CPU seconds of each way for all files, per round; one process at a time."""
    works: dict[str, Callable[[], object]] = {
        MUTOOL: lambda: [_mutool(path) for path in paths],
        TEXT: lambda: [len(list(text_alone(path.read_bytes()))) for path in paths],
        PLACED: lambda: [read_document(path.name, path.read_bytes()).line_count for path in paths],
    }
    for work in works.values():  # imports and other one-time costs
        work()
    return in_turns(works, rounds)


def _mutool(path: Path) -> int:
    command = ["mutool", "draw", "-q", "-F", "txt", "-o", "/dev/null", str(path)]
    return subprocess.run(command, capture_output=True, check=False, timeout=600).returncode
