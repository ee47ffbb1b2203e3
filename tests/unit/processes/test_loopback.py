"""Which `Host` and `Origin` headers the servers on this computer take."""

import pytest

from desktop_rag.processes.loopback import LoopbackKey, is_own_page, is_this_computer


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8000", "LOCALHOST", "[::1]", "[::1]:65535"])
def test_this_computer_is_named_by_its_names_and_a_port(host: str) -> None:
    assert is_this_computer((host,))
    assert is_own_page((f"http://{host}",))


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1/evil", "127.0.0.1?.evil", "127.0.0.1, evil.example", "evil.example\\@127.0.0.1", "127.0.0.1#x"),
        *("127.0.0.1:47391@evil.example", "127.0.0.1:80.evil.example", "127.0.0.1.evil.example", "localhost.", ""),
        *("127.0.0.1:", "127.0.0.1:port", "127.0.0.1:\u0661", "::1", "[::1", "127.0.0.1 ", "127.0.0.1\n", "127x0x0x1"),
    ],
)
def test_no_other_spelling_is_taken(host: str) -> None:
    assert not is_this_computer((host,))
    assert not is_own_page((f"http://{host}",))


def test_there_is_one_host_and_at_most_one_page() -> None:
    assert is_own_page(())
    assert not is_this_computer(())
    assert not is_this_computer(("localhost", "localhost"))
    assert not is_own_page(("http://localhost", "http://localhost"))
    assert not any(is_own_page((origin,)) for origin in ("null", "localhost", "file://localhost", "", "http://"))


def test_the_scheme_of_the_key_is_taken_in_any_case_and_the_key_only_as_it_is() -> None:
    key = LoopbackKey("Abc")
    assert all(key.fits(header) for header in (b"Bearer Abc", b"bearer Abc", b"BEARER Abc"))
    assert not any(key.fits(header) for header in (b"Bearer abc", b"Bearer Abc ", b"BearerAbc", b"Basic Abc", b""))
