import os
import stat
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.errors import SettingsError
from desktop_rag.paths import settings_file
from desktop_rag.settings import Limits, PrivacyOptions, Profile, Settings, Theme, load, merged, privacy, save

PROFILE = Profile("Office", "https://models.example/v1", "large", temperature=0.2, ca_file="/etc/office.pem")


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path / "settings.json") == Settings()


def test_what_was_saved_is_read_back(tmp_path: Path) -> None:
    settings = Settings((PROFILE,), "Office", limits=Limits(steps=3), theme=Theme.DARK)
    path = tmp_path / "new" / "settings.json"
    save(path, settings)
    assert load(path) == settings


@given(name=st.text(), url=st.text(), model=st.text(), temperature=st.none() | st.floats(0, 2))
def test_any_text_survives(
    tmp_path_factory: pytest.TempPathFactory, name: str, url: str, model: str, temperature: float | None
) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.json"
    settings = Settings((Profile(name, url, model, temperature=temperature),), name)
    save(path, settings)
    assert load(path) == settings


@pytest.mark.parametrize("text", ["", "{", "[]", '{"theme": "pink"}', '{"limits": {"steps": "many"}}', "\x00"])
def test_a_broken_file_says_what_to_do(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text)
    with pytest.raises(SettingsError, match=r"settings\.json cannot be read .*Repair or delete it"):
        load(path)


def test_fields_of_a_newer_version_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"theme": "dark", "of_the_future": {"deep": [1]}}')
    assert load(path).theme is Theme.DARK


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_a_second_look_that_was_only_off_by_default_is_on(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"second_look": false, "toolkit": "quick"}')  # as an earlier edition wrote every setting
    assert load(path) == Settings(toolkit="quick")
    assert load(path).second_look
    save(path, replace(load(path), second_look=False))
    assert not load(path).second_look


def test_only_the_owner_can_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "home" / "settings.json"
    save(path, Settings())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_saving_leaves_nothing_else_behind(tmp_path: Path) -> None:
    save(tmp_path / "settings.json", Settings())
    save(tmp_path / "settings.json", Settings((PROFILE,)))
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]


def test_an_unwritable_folder_raises_a_settings_error(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    with pytest.raises(SettingsError, match="cannot be written"):
        save(blocker / "settings.json", Settings())


def test_the_built_in_model_is_chosen_by_an_empty_name() -> None:
    assert Settings((PROFILE,)).profile() is None
    assert Settings((PROFILE,), "Office").profile() == PROFILE
    assert Settings((PROFILE,), "Gone").profile() is None


def test_what_may_be_sent_is_read_again_after_every_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path))
    assert privacy() == PrivacyOptions()
    for number, seconds_ago in enumerate((0, 0, 3_600, 60, 60)):  # the last two: as old and as long as each other
        rules = PrivacyOptions(never_send=(f"/secret/{number}",))
        save(settings_file(), Settings(privacy=rules))
        then = time.time() - seconds_ago
        os.utime(settings_file(), (then, then))
        assert privacy() == privacy() == rules
    settings_file().write_text("{", encoding="utf-8")
    with pytest.raises(SettingsError):
        privacy()
    settings_file().unlink()
    assert privacy() == PrivacyOptions()


def test_a_never_send_path_also_names_what_it_links_to(tmp_path: Path) -> None:
    (tmp_path / "disk/private").mkdir(parents=True)
    (tmp_path / "home").symlink_to(tmp_path / "disk")
    rules = PrivacyOptions(never_send=(f"{tmp_path}/home/private/", f"{tmp_path}/disk/../disk/private", " "))
    real = os.fsencode((tmp_path / "disk/private").resolve())
    assert real in rules.withheld().paths
    assert os.fsencode(tmp_path / "disk/private") in rules.withheld().paths
    assert rules.listed().paths[0] == os.fsencode(tmp_path / "home/private")


def test_nothing_is_sent_as_long_as_a_never_send_path_depends_on_who_asks() -> None:
    with pytest.raises(SettingsError, match="“private”"):
        PrivacyOptions(never_send=("/secret", "private")).withheld()


def test_a_change_keeps_what_another_process_has_written() -> None:
    base = Settings(profiles=(PROFILE,), privacy=PrivacyOptions(never_send=("/a", "/b")))
    rules = PrivacyOptions(never_send=("/a", "/b", "/c"), confirmed_hosts=("llm.example",), offline=True)
    stored = replace(base, privacy=rules, toolkit="direct")
    new = replace(base, theme=Theme.DARK, privacy=PrivacyOptions(never_send=("/b", "/d"), never_words=("x",)))
    kept = PrivacyOptions(True, ("/b", "/c", "/d"), ("x",), confirmed_hosts=("llm.example",))
    assert merged(stored, base, new) == replace(stored, theme=Theme.DARK, privacy=kept)
    assert merged(stored, base, base) == stored
    assert merged(base, base, new) == new


def test_a_profile_replaces_one_of_the_same_name() -> None:
    newer = Profile("Office", "https://models.example/v1", "small")
    other = Profile("Home", "http://localhost:1234/v1", "tiny")
    assert Settings((PROFILE, other)).with_profile(newer).profiles == (other, newer)


def test_no_field_could_hold_a_key() -> None:
    assert not [name for name in Profile.__slots__ if "key" in name or "secret" in name or "token" in name]


def test_the_fast_model_is_another_model_of_the_same_endpoint() -> None:
    profile = replace(PROFILE, fast_model="small", reasoning_effort="high", price_in=3.0, fast_price_in=0.8)
    fast = profile.fast()
    assert fast is not None
    assert (fast.base_url, fast.model, fast.reasoning_effort, fast.price_in) == (PROFILE.base_url, "small", "", 0.8)
    assert PROFILE.fast() is None
