"""What a log says of an error: where and of which kind, never the text that an exception quotes."""

import io
import logging

from desktop_rag.log_format import LogFormatter


def test_no_message_of_a_foreign_exception_is_written() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LogFormatter("%(levelname)s %(message)s"))
    logger = logging.getLogger("test of the format")
    logger.addHandler(handler)
    logger.propagate = False
    try:
        try:
            int("the merger with Northwind")
        except ValueError as error:
            raise KeyError("Heliotrope") from error
    except KeyError:
        logger.exception("a file could not be read")
    try:
        open("/nowhere/at all")  # noqa: SIM115, PTH123
    except OSError:
        logger.exception("a file could not be read")
    said = stream.getvalue()
    assert "Northwind" not in said
    assert "Heliotrope" not in said
    assert said.index("\nValueError\n") < said.index("\nKeyError\n")
    assert f'File "{__file__}", line ' in said
    assert "FileNotFoundError: [Errno 2] No such file or directory: '/nowhere/at all'" in said
