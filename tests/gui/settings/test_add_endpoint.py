"""How an endpoint is added: presets, servers found on this computer, and a model of those that are listed."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.gui.settings.endpoint.add_endpoint import AddEndpoint
from desktop_rag.gui.settings.endpoint.model_field import ModelField
from desktop_rag.gui.settings.profile_editor import ProfileEditor
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.llm.local_servers import LocalServer
from desktop_rag.llm.probe import ListedModel
from desktop_rag.settings import Profile, Settings

WORK = Profile("Ollama", "http://localhost:11434/v1", "qwen3:8b")


def actions(button: QPushButton) -> dict[str, QAction]:
    found: dict[str, QAction] = {}
    for action in button.menu().actions():
        found[action.text()] = action
    for menu in button.menu().findChildren(QMenu):
        found |= {each.text(): each for each in menu.actions()}
    return found


def texts(dialog: SettingsDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel) if label.isVisibleTo(dialog)]


def test_a_provider_is_added_with_its_address_and_says_where_keys_are_made(qtbot: QtBot) -> None:
    dialog = SettingsDialog(Settings())
    qtbot.addWidget(dialog)
    actions(dialog.findChildren(AddEndpoint)[0])["Mistral"].trigger()
    (profile,) = dialog.settings().profiles
    assert (profile.name, profile.base_url) == ("Mistral", "https://api.mistral.ai/v1")
    assert any("https://console.mistral.ai/api-keys" in text for text in texts(dialog))


def test_a_search_runs_only_after_its_click_and_adds_what_is_not_there_yet(qtbot: QtBot) -> None:
    dialog = SettingsDialog(Settings(profiles=(WORK,)))
    qtbot.addWidget(dialog)
    search = actions(dialog.findChildren(AddEndpoint)[0])["Look for servers on this computer"]
    with qtbot.waitSignal(dialog.search_requested):
        search.trigger()
    assert not search.isEnabled()
    dialog.add_server(LocalServer("Ollama", "http://127.0.0.1:11434/v1", ("qwen3:8b",)))
    dialog.add_server(LocalServer("Jan", "http://127.0.0.1:1337/v1", ("jan-nano", "other")))
    dialog.end_search()
    added = dialog.settings().profiles
    assert added == (WORK, Profile("Jan", "http://127.0.0.1:1337/v1", "jan-nano"))
    assert "2 servers found" in texts(dialog)
    search.trigger()
    dialog.end_search()
    assert "No server answered." in texts(dialog)
    assert search.isEnabled()


def test_a_server_without_models_is_told_with_what_it_lacks(qtbot: QtBot) -> None:
    dialog = SettingsDialog(Settings(profiles=(WORK,)))
    qtbot.addWidget(dialog)
    actions(dialog.findChildren(AddEndpoint)[0])["Look for servers on this computer"].trigger()
    dialog.add_server(LocalServer("vLLM", "http://127.0.0.1:8000/v1", (), "key"))
    dialog.add_server(LocalServer("Ollama", "http://127.0.0.1:11434/v1", (), "model"))
    dialog.end_search()
    told = "\n".join(texts(dialog))
    assert "vLLM answered and wants a key." in told
    assert "Ollama answered and has no model yet: ollama pull qwen3:4b" in told
    assert [profile.name for profile in dialog.settings().profiles] == [WORK.name, "vLLM"]


def test_the_listed_models_are_searched_by_any_part_and_any_name_can_be_typed(qtbot: QtBot) -> None:
    field = ModelField()
    qtbot.addWidget(field)
    field.show_model("")
    field.offer([ListedModel("openai/gpt-5"), ListedModel("qwen/qwen3-8b"), ListedModel("qwen/qwen3-32b")])
    completer = field.findChildren(QComboBox)[0].completer()
    assert completer is not None
    completer.setCompletionPrefix("QWEN3")
    assert completer.completionCount() == 2
    with qtbot.waitSignal(field.changed):
        field.findChildren(QComboBox)[0].setEditText("my/own")
    assert field.model() == "my/own"


def test_what_the_endpoint_tells_about_a_model_is_shown_and_its_prices_can_be_used(qtbot: QtBot) -> None:
    editor = ProfileEditor()
    qtbot.addWidget(editor)
    editor.show()
    editor.show_profile(Profile("Router", "https://openrouter.ai/api/v1", "a/b"))
    field = editor.findChildren(ModelField)[0]
    field.offer([ListedModel("a/b", 131_072, 0.25, 1.5), ListedModel("a/silent")])
    labels = [label.text() for label in field.findChildren(QLabel) if label.isVisible()]
    assert labels == ["Context: 131,072 tokens · 0.25 / 1.50 US dollars per million tokens of input / output"]
    use = field.findChildren(QPushButton)[0]
    use.click()
    assert (editor.profile().price_in, editor.profile().price_out) == (0.25, 1.5)
    field.findChildren(QComboBox)[0].setEditText("a/silent")
    assert not use.isVisible()
