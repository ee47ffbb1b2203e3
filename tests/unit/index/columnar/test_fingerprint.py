"""An index knows for which fields it was written."""

from whoosh.fields import NUMERIC, TEXT, Schema

from desktop_rag.index.keywords.columnar.columnar_index import fingerprint


def schema(*, phrase: bool = True) -> Schema:
    return Schema(number=NUMERIC(int, bits=64, signed=False, shift_step=0, sortable=True), text=TEXT(phrase=phrase))


def test_the_same_schema_made_anew_is_the_same() -> None:
    assert fingerprint(schema()) == fingerprint(schema())


def test_a_field_that_keeps_less_is_another() -> None:
    assert fingerprint(schema()) != fingerprint(schema(phrase=False))
