"""A string is found at every place where `bytes.find` finds it."""

import random

import numpy as np
import pytest

from desktop_rag.index.keywords.columnar.execution.segment_readers import LetterGroups


def places(text: bytes, wanted: bytes) -> list[int]:
    return [at for at in range(len(text) - len(wanted) + 1) if text.startswith(wanted, at)]


@pytest.mark.parametrize("letters", [b"ab", b"aAbc1\xa1\xc3", bytes(range(256))])
def test_every_place_is_found(letters: bytes) -> None:
    random.seed(4)
    for size in (3, 4, 60, 900, 70_000):
        text = bytes(random.choices(letters, k=size))
        groups = LetterGroups(np.frombuffer(text, np.uint8))
        for length in (3, 4, 7, 12):
            start = random.randrange(size)
            for wanted in (text[start : start + length], bytes(random.choices(letters, k=length)), text[-3:]):
                if len(wanted) >= 3:
                    assert groups.find(wanted).tolist() == places(text, wanted)
