"""Untrusted JSON: what is too much for a turn is refused before anything is built."""

import json

import pytest

from desktop_rag.llm.json_value import decode_turn


def test_a_long_text_is_decoded_and_too_many_parts_are_not() -> None:
    assert decode_turn('"' + "x" * 900_000 + '"') == "x" * 900_000
    assert decode_turn("[" + "{}," * 9_000 + "1]")
    nested = "[" * 100_000
    assert decode_turn(json.dumps({"arguments": f'\\" {nested}'})) == {"arguments": f'\\" {nested}'}
    for unit in ("[],", "{},"):
        with pytest.raises(ValueError, match="too many parts"):
            decode_turn("[" + unit * 30_000 + "1]")
