"""What replies to the request for a cell say, in whatever form models write them."""

import pytest

from desktop_rag.work.cell_request import CellReply, read_reply
from desktop_rag.work.columns import Column, Kind

NAME = Column("Landlord")
PETS = Column("Pets", Kind.YES_NO)


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ('{"value": "Anna", "quote": "the landlord Anna"}', CellReply("Anna", "the landlord Anna")),
        ('Here it is:\n```json\n{"value": "Anna", "quote": "12: by Anna"}\n```', CellReply("Anna", "by Anna")),
        ('{"thought": {"a": 1}} {"value": 17, "quote": "17 rooms"}', CellReply("17", "17 rooms")),
        ('{"value": "", "quote": ""}', CellReply(absent=True)),
        ('{"value": null, "quote": null}', CellReply(absent=True)),
        ('{"value": "Not stated.", "quote": ""}', CellReply(absent=True)),
        ("The landlord is Anna.", CellReply(why="The reply is no JSON object.")),
        ('{"answer": "Anna"}', CellReply(why="The reply is no JSON object.")),
        ('{"value": "' + "x" * 501 + '", "quote": ""}', CellReply(why="The value is too long.")),
        ("{" * 5_000, CellReply(why="The reply is no JSON object.")),
    ],
)
def test_a_reply_is_read(reply: str, read: CellReply) -> None:
    assert read_reply(NAME, reply) == read


@pytest.mark.parametrize(
    ("reply", "value"),
    [('{"value": true, "quote": "pets are welcome"}', "yes"), ('{"value": "no", "quote": "no pets"}', "no")],
)
def test_yes_and_no_may_be_booleans(reply: str, value: str) -> None:
    assert read_reply(PETS, reply).value == value


def test_a_value_of_another_kind_is_asked_for_again() -> None:
    assert read_reply(PETS, '{"value": "perhaps", "quote": "pets"}').why == "“perhaps” is not yes or no."
