"""The child process that runs RapidOCR: pixels in, lines out; restricted like a reader child."""

import logging
from typing import TYPE_CHECKING

from desktop_rag.documents.document import Box
from desktop_rag.documents.ocr.rapid import MEMORY_MEGABYTES, SECONDS
from desktop_rag.documents.ocr.recognised_lines import (
    MIN_CONFIDENCE,
    RECOGNISER_REPLIES,
    RECOGNISER_REQUESTS,
    PageRecognised,
    RecognisedLine,
    RecognisePage,
    RecognitionFailed,
)
from desktop_rag.documents.sandbox.process_limits import allow_cpu, limit_this_process
from desktop_rag.documents.sandbox.reader_messages import CHANGED, receive_blob
from desktop_rag.errors import DocumentError
from desktop_rag.processes.confinement.confine import confine_this_process
from desktop_rag.processes.connection import Connection, parent_connection

if TYPE_CHECKING:
    from rapidocr import RapidOCR

logger = logging.getLogger(__name__)

_NICENESS = 15
_SAME_LINE = 0.5  # of the height of a piece: pieces whose vertical centres are closer are on one line
_NEW_PARAGRAPH = 0.8  # of the height of a line: a larger gap above it starts a paragraph


def main(arguments: list[str]) -> int:
    """Answer requests from the parent until it closes the pipe."""
    connection = parent_connection()
    limit_this_process(MEMORY_MEGABYTES, int(SECONDS), niceness=_NICENESS)
    confine_this_process()
    engine: RapidOCR | None = None
    try:
        while True:
            request = RECOGNISER_REQUESTS.decode(connection.recv_bytes())
            assert isinstance(request, RecognisePage)
            allow_cpu(int(SECONDS))
            engine = engine or _engine()
            connection.send_bytes(RECOGNISER_REPLIES.encode(_answer(engine, connection, request)))
    except (EOFError, OSError):
        return 0


def _engine() -> "RapidOCR":
    from rapidocr import RapidOCR

    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    return RapidOCR(params={"Global.log_level": "error", "EngineConfig.onnxruntime.intra_op_num_threads": 1})


def _answer(engine: "RapidOCR", connection: Connection, request: RecognisePage) -> PageRecognised | RecognitionFailed:
    import numpy as np

    try:
        pixels = receive_blob(connection, request.stride * request.height)
        if pixels is None:
            raise DocumentError(CHANGED)
        rows = np.frombuffer(pixels, np.uint8).reshape(request.height, request.stride)
        image = rows[:, : 3 * request.width].reshape(request.height, request.width, 3)[
            :, :, ::-1
        ]  # BGR, as OpenCV expects
        found = engine(np.ascontiguousarray(image))
    except Exception as error:  # models and their frameworks raise many types; the page is lost, not the process
        logger.exception("a page could not be recognised")
        return RecognitionFailed(f"The text of this page could not be recognised ({type(error).__name__}).")
    if found.boxes is None or found.txts is None or found.scores is None:
        return PageRecognised(())
    pieces = [
        RecognisedLine(text, _box(corners, request.scale))
        for corners, text, score in zip(found.boxes.tolist(), found.txts, found.scores, strict=True)
        if score >= MIN_CONFIDENCE and any(map(str.isalnum, text))
    ]
    return PageRecognised(tuple(joined(pieces)))


def _box(corners: list[list[float]], scale: float) -> Box:
    across, down = [corner[0] for corner in corners], [corner[1] for corner in corners]
    return Box(min(across) / scale, min(down) / scale, max(across) / scale, max(down) / scale)


def joined(pieces: list[RecognisedLine]) -> list[RecognisedLine]:
    """Merge pieces on one line into lines, from top to bottom."""
    lines: list[list[RecognisedLine]] = []
    for piece in sorted(pieces, key=lambda piece: piece.box.y0 + piece.box.y1):
        last = lines[-1][-1].box if lines else None
        height = piece.box.y1 - piece.box.y0
        if last and abs(last.y0 + last.y1 - piece.box.y0 - piece.box.y1) / 2 < _SAME_LINE * height:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    made: list[RecognisedLine] = []
    for line in lines:
        ordered = sorted(line, key=lambda piece: piece.box.x0)
        box = Box(
            ordered[0].box.x0,
            min(piece.box.y0 for piece in line),
            max(piece.box.x1 for piece in line),
            max(piece.box.y1 for piece in line),
        )
        begins = not made or box.y0 - made[-1].box.y1 > _NEW_PARAGRAPH * (box.y1 - box.y0)
        made.append(RecognisedLine(" ".join(piece.text for piece in ordered), box, begins))
    return made
