"""Settings travel without secrets, and a file of a stranger gains nothing by them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.errors import SettingsError
from desktop_rag.gui.settings import settings_exchange
from desktop_rag.gui.settings.settings_exchange import (
    changes,
    exported_settings,
    merged,
    public_address,
    read_import,
    write_export,
)
from desktop_rag.settings import RANGES, Density, Limits, PrivacyOptions, Profile, Settings, Theme

SECRETS = ("hunter2", "anna", "sk-1234", "s3cret-code", "/home/anna/ca.pem", "/opt/encoder")
OFFICE = Profile(
    "Office",
    "https://anna:hunter2@llm.example.org:8443/v1?token=sk-1234#x",
    "large",
    ca_file="/home/anna/ca.pem",
    client_certificate="/home/anna/client.pem",
    proxy="http://anna:geheim@proxy.example:3128",
    price_in=0.5,
)
FULL = Settings(
    profiles=(OFFICE,),
    active_profile="Office",
    toolkit="direct",
    limits=Limits(steps=20),
    theme=Theme.DARK,
    font_percent=120,
    density=Density.COMPACT,
    editor="s3cret-code {path}",
    encoder="/opt/encoder",
    shortcuts={"window find": "Ctrl+J"},
    update_address="https://feed.example.org/?k=hunter2",
    introduced=True,
)


def file_with(tmp_path: Path, changed: dict[str, object]) -> Path:
    """Return an exported file of the default settings, with other values."""
    content = json.loads(exported_settings(Settings()))
    content["settings"] |= changed
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(content))
    return path


def profile(**values: object) -> dict[str, object]:
    return {"name": "Office", "base_url": "https://llm.example.org/v1", "model": "m"} | values


def test_the_file_holds_no_secret_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    write_export(path, FULL)
    text = path.read_text()
    assert not [secret for secret in SECRETS if secret in text]
    content = json.loads(text)
    assert content["settings"]["profiles"][0]["base_url"] == "https://llm.example.org:8443/v1"
    assert any("passwords" in line for line in content["left_out"])
    assert any("editor" in line for line in content["left_out"])


def test_an_export_gives_the_same_settings_on_another_computer(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    write_export(path, FULL)
    imported = read_import(path, Settings(editor="vim", introduced=True))
    wanted = replace(OFFICE, base_url="https://llm.example.org:8443/v1", ca_file="", client_certificate="", proxy="")
    assert imported.settings == replace(
        FULL, profiles=(wanted,), active_profile="", editor="vim", encoder="", update_address=""
    )
    assert imported.added == ("Office",)


def test_an_import_on_the_same_computer_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    write_export(path, FULL)
    imported = read_import(path, FULL)
    assert imported.settings == FULL  # address with its password, certificate and active model included
    assert imported.added == ()
    assert changes(FULL, imported.settings) == ()


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example.net/v1",
        "http://llm.example.org:8443/v1",
        "https://llm.example.org/v1",
        "https://llm.example.org:8443/v2",
    ],
)
def test_a_known_name_with_another_address_does_not_take_over_the_key(tmp_path: Path, address: str) -> None:
    imported = read_import(file_with(tmp_path, {"profiles": [profile(base_url=address)]}), FULL)
    assert imported.settings.profiles[0] == OFFICE
    assert [(each.name, each.base_url) for each in imported.settings.profiles[1:]] == [("Office (2)", address)]
    assert imported.added == ("Office (2)",)
    assert imported.settings.active_profile == "Office"


def test_what_may_be_sent_is_neither_exported_nor_imported(tmp_path: Path) -> None:
    rules = PrivacyOptions(True, ("/home/anna/diary",), ("Heliotrope",), confirmed_hosts=("llm.example.org",))
    exported = exported_settings(replace(FULL, privacy=rules))
    assert not [word for word in (b"diary", b"Heliotrope", b'llm.example.org"') if word in exported]
    hostile = {"mask_secrets": False, "confirmed_hosts": ["evil.example.net"], "never_send": []}
    mine = replace(FULL, privacy=rules, profiles=(replace(OFFICE, local_only=True),))
    address = profile(base_url="https://llm.example.org:8443/v1", local_only=False)
    imported = read_import(file_with(tmp_path, {"privacy": hostile, "profiles": [address]}), mine).settings
    assert imported.privacy == rules
    assert imported.profiles[0].local_only


def test_a_name_that_would_be_taken_twice() -> None:
    current = Settings(profiles=(OFFICE, replace(OFFICE, name="Office (2)")))
    new = Settings(profiles=(Profile("Office", "https://evil.example.net", "m"),))
    assert merged(current, new).added == ("Office (3)",)


def test_the_active_profile_is_never_changed(tmp_path: Path) -> None:
    path = file_with(tmp_path, {"active_profile": "Other", "profiles": [profile(name="Other")]})
    imported = read_import(path, FULL)
    assert imported.settings.active_profile == "Office"
    assert imported.settings.editor == FULL.editor


def test_an_editor_or_certificate_in_a_file_is_not_taken(tmp_path: Path) -> None:
    new = [profile(name="New", ca_file="/tmp/evil.pem", proxy="http://evil.example")]
    path = file_with(
        tmp_path,
        {"editor": "rm -rf ~", "encoder": "/tmp/evil", "update_address": "https://evil.example.net", "profiles": new},
    )
    imported = read_import(path, Settings()).settings
    assert imported.update_address == ""
    assert (imported.editor, imported.encoder, imported.profiles[0].ca_file, imported.profiles[0].proxy) == ("",) * 4


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"\x00" * 100,
        b"{}",
        b"[" * 100_000,
        b'{"format": "other"}',
        b'{"format": 3}',
        b'{"format": "desktop-rag-settings", "version": 1}',
    ],
)
def test_a_file_that_is_something_else(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match=r"(exported settings|cannot be used)"):
        read_import(path, Settings())


def test_a_missing_a_huge_and_a_newer_file(tmp_path: Path) -> None:
    for unreadable in (tmp_path / "none.json", tmp_path):
        with pytest.raises(SettingsError, match="cannot be read"):
            read_import(unreadable, Settings())
    huge = tmp_path / "huge.json"
    huge.write_bytes(b" " * (settings_exchange.LARGEST + 1))
    with pytest.raises(SettingsError, match="too large"):
        read_import(huge, Settings())
    newer = tmp_path / "newer.json"
    newer.write_text('{"format": "desktop-rag-settings", "version": 2, "settings": {"theme": "sepia"}}')
    with pytest.raises(SettingsError, match="newer version"):
        read_import(newer, Settings())


@pytest.mark.parametrize(
    "changed",
    [
        {"theme": "pink"},
        {"toolkit": "no such method"},
        {"language": "tlh"},
        {"font_percent": 9_000},
        {"limits": {"steps": -1}},
        {"limits": {"context_tokens": 10**15}},
        {"money": {"day": -5}},
        {"shortcuts": {"window find": "Ctrl+\u0007"}},
        {"shortcuts": {str(n): "" for n in range(2_000)}},
        {"profiles": [profile(), profile()]},
        {"profiles": [profile(name=" ")]},
        {"profiles": [profile(name="a\u202eb")]},
        {"profiles": [profile(base_url="file:///etc/passwd")]},
        {"profiles": [profile(base_url="https://user:pw@llm.example.org/v1")]},
        {"profiles": [profile(base_url="https://llm.example.org/v1?key=1")]},
        {"profiles": [profile(base_url="https://[::1")]},
        {"profiles": [profile(base_url="")]},
        {"profiles": [profile(temperature=99)]},
        {"profiles": [profile(patience=-1)]},
        {"profiles": [profile(patience=10**18)]},
        {"profiles": [profile(idle_minutes=-5)]},
        {"profiles": [profile(model="m" * 10_000)]},
        {"profiles": [profile(name=str(n)) for n in range(200)]},
    ],
)
def test_a_value_that_no_field_would_take_changes_nothing(tmp_path: Path, changed: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        read_import(file_with(tmp_path, changed), FULL)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("https://a:b@h/v1?x=1#y", "https://h/v1"),
        ("http://[::1]:8080/v1/", "http://[::1]:8080/v1"),
        ("http://h:99999999/", ""),
        ("ftp://h/", ""),
        ("h/v1", ""),
    ],
)
def test_the_public_part_of_an_address(address: str, public: str) -> None:
    assert public_address(address) == public


def test_every_number_has_a_range() -> None:
    full = replace(FULL, profiles=(Profile("a", "", "", temperature=0.0, top_p=0.0, price_in=0.0, price_out=0.0),))
    numbers = {name for name, value in settings_exchange._values(full) if type(value) in (int, float)}
    assert {"patience", "idle_minutes", "steps", "price_in"} <= numbers
    assert numbers <= RANGES.keys()


def test_every_change_has_a_line() -> None:
    lines = [str(change) for change in changes(Settings(), replace(FULL, language="de", follow_ups=False))]
    for words in ("Model “Office”", "Steps: 15 → 20", "→ Dark", "→ 120", "→ Compact", "→ Deutsch", "on → off"):
        assert any(words in line for line in lines), words
