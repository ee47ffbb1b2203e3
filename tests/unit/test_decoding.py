"""Decoding: declared types may be met by several threads at once."""

import subprocess
import sys

import msgspec
import pytest

from desktop_rag.decoding import converted, decode_json, decode_msgpack

_RACE = """
import sys, threading
from dataclasses import make_dataclass
from desktop_rag.decoding import converted, decode_json

sys.setswitchinterval(1e-6)
for round in range(60):
    inner = make_dataclass("Inner", [(f"field{i}", int, 0) for i in range(20)])
    outer = make_dataclass("Outer", [(f"part{i}", inner, None) for i in range(10)])
    barrier = threading.Barrier(4)

    def first(decode):
        barrier.wait()
        assert decode() == outer(part3=inner(field1=2))

    ways = [lambda: decode_json(b'{"part3": {"field1": 2}}', outer), lambda: converted({"part3": {"field1": 2}}, outer)]
    threads = [threading.Thread(target=first, args=(way,)) for way in ways * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("ended")
"""


@pytest.mark.processes
def test_threads_that_meet_a_class_first_do_not_crash() -> None:
    done = subprocess.run([sys.executable, "-c", _RACE], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "ended\n"), done.stderr


def test_values_are_checked_against_their_type() -> None:
    assert decode_json("[1, 2]", tuple[int, ...]) == (1, 2)
    assert decode_msgpack(msgspec.msgpack.encode({"a": 1}), dict[str, int]) == {"a": 1}
    with pytest.raises(msgspec.ValidationError):
        converted(["1"], list[int])
    with pytest.raises(msgspec.DecodeError):
        decode_json(b"[1", list[int])
