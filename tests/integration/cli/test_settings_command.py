"""`desktop-rag settings` lists every setting, and changes one with the checks of the program."""

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest

from desktop_rag.cli.settings_command import MEANINGS, PROFILE, changed
from desktop_rag.errors import SettingsError
from desktop_rag.settings import DesktopOptions, Limits, MoneyLimits, PrivacyOptions, Profile, Settings
from tests.integration.cli.conftest import Program

pytestmark = pytest.mark.processes

ENDPOINT = Profile("My server", "http://127.0.0.1:9/v1", "m")


def names(value: type, before: str = "") -> set[str]:
    return {f"{before}{field.name}" for field in fields(value)}


def test_every_setting_has_a_meaning() -> None:
    groups = names(Limits, "limits.") | names(MoneyLimits, "money.") | names(DesktopOptions, "desktop.")
    groups |= names(PrivacyOptions, "privacy.")
    plain = names(Settings) - {"profiles", "limits", "money", "desktop", "privacy"}
    assert set(MEANINGS) == plain | groups | (names(Profile, PROFILE) - {f"{PROFILE}name"})


def test_settings_are_listed_shown_and_changed(tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    listed = {str(line["key"]): line for line in program.run("settings", "--json").objects}
    assert listed["limits.steps"]["value"] == 15
    assert listed["limits.steps"]["file"] == str(program.home / "settings.json")
    assert program.run("settings", "limits.steps", "20", "--json").object["value"] == 20
    assert "limits.steps = 20  most steps" in program.run("settings", "limits.steps").out
    stored = json.loads((program.home / "settings.json").read_text(encoding="utf-8"))
    assert stored["limits"]["steps"] == 20
    assert program.run("settings", "limits.steps", "default", "--json").object["value"] == 15


def test_the_folder_of_notes_is_searched(tmp_path: Path) -> None:
    program, notes = Program(tmp_path / "home"), tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("The zebra was noted.\n", encoding="utf-8")
    assert program.run("settings", "notes", str(notes), "--json").object["value"] == str(notes)
    program.run("index")
    assert "a.md" in program.run("search", "zebra").out
    missing = program.run("settings", "notes", str(tmp_path / "missing"))
    assert "missing is not searched" in missing.err
    assert "notes = \n" not in program.run("settings", "notes", "default").out


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("theme", "purple"),
        ("font_percent", "900"),
        ("limits.steps", "0"),
        ("limits.seconds", "-1"),
        ("toolkit", "none such"),
        ("active_profile", "none such"),
        ("follow_ups", "perhaps"),
        ("second_look", "perhaps"),
        ("profiles.My server.patience", "long"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(key: str, value: str) -> None:
    with pytest.raises(SettingsError, match=key.replace(".", r"\.")):
        changed(Settings(profiles=(ENDPOINT,)), key, value)


def test_a_value_of_an_endpoint_is_changed() -> None:
    before = Settings(profiles=(ENDPOINT,))
    assert changed(before, "profiles.My server.model", "4").profiles[0].model == "4"
    assert changed(before, "profiles.My server.temperature", "0.5").profiles[0].temperature == 0.5
    assert changed(before, "active_profile", "My server").active_profile == "My server"


def test_never_send_tags_are_set(tmp_path: Path) -> None:
    rules = changed(Settings(), "privacy.never_tags", '["#diary", "Board / secret"]').privacy
    assert rules.withheld().tags == ("diary", "Board / secret")
    assert changed(Settings(privacy=rules), "privacy.never_tags", "default").privacy == PrivacyOptions()


def test_a_never_send_path_is_stored_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "private").mkdir()
    (tmp_path / "link").symlink_to("private")
    rules = changed(Settings(), "privacy.never_send", '["private", "link", "../x"]').privacy
    whole = str((tmp_path / "private").resolve())
    assert rules.never_send == (whole, whole, str(tmp_path.resolve().parent / "x"))
    elsewhere = replace(Settings(), privacy=PrivacyOptions(never_send=("as it was",)))
    assert changed(elsewhere, "theme", "dark").privacy == elsewhere.privacy


def test_an_unknown_key_and_a_damaged_file_are_errors(tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    ran = program.run("settings", "colour", "red")
    assert (ran.code, ran.out) == (1, "")
    assert "There is no setting “colour”" in ran.err
    program.home.mkdir(exist_ok=True)
    (program.home / "settings.json").write_bytes(b"{")
    assert program.run("settings", "theme", "dark").code == 1
    assert (program.home / "settings.json").read_bytes() == b"{"


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("limits.steps", "-5", "limits.steps cannot be “-5”, but a whole number from 1."),
        ("limits.seconds", "soon", "but a whole number from 0."),
        ("money.day", "-1", "but a number from 0."),
        ("font_percent", "7", "but a number from "),
        ("privacy.never_tags", "travel", 'but a list such as ["one", "two"].'),
        ("privacy.mask_secrets", "maybe", "but true or false."),
    ],
)
def test_a_value_that_cannot_be_names_those_that_can(tmp_path: Path, key: str, value: str, says: str) -> None:
    ran = Program(tmp_path / "home").run("settings", key, value)
    assert ran.code == 1
    assert says in ran.err
