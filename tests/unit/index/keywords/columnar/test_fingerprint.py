"""An index has a fingerprint of its fields."""

from whoosh.fields import NUMERIC, TEXT, Schema

from desktop_rag.index.keywords.columnar.columnar_index import fingerprint


def schema(*, phrase: bool = True) -> Schema:
    return Schema(number=NUMERIC(int, bits=64, signed=False, shift_step=0, sortable=True), text=TEXT(phrase=phrase))


def test_equal_schemas_have_equal_fingerprints() -> None:
    assert fingerprint(schema()) == fingerprint(schema())


def test_a_field_without_positions_has_another_fingerprint() -> None:
    assert fingerprint(schema()) != fingerprint(schema(phrase=False))
