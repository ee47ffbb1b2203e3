"""How a model is connected: the three cards, and a model of those that are listed."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.gui.settings.endpoint.connect_cards import ConnectCards, ModelField
from desktop_rag.gui.settings.page_titles import MODELS, page_titles
from desktop_rag.gui.settings.profile_editor import ProfileEditor
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.widgets.panel_list import StartButton
from desktop_rag.llm.listed_models import ListedModel
from desktop_rag.llm.local_servers import LocalServer
from desktop_rag.llm.probe import ProbeResult
from desktop_rag.settings import Profile, Settings

WORK = Profile("Ollama", "http://localhost:11434/v1", "qwen3:8b")


def opened(qtbot: QtBot, settings: Settings | None = None) -> tuple[SettingsDialog, ConnectCards]:
    dialog = SettingsDialog(settings or Settings())
    qtbot.addWidget(dialog)
    dialog.show_page(page_titles()[MODELS])
    dialog.show()
    (cards,) = dialog.findChildren(ConnectCards)
    return dialog, cards


def button(dialog: SettingsDialog, text: str) -> QPushButton:
    return next(each for each in dialog.findChildren(QPushButton) if each.text() == text)


def field(cards: ConnectCards, name: str) -> QLineEdit:
    return next(each for each in cards.findChildren(QLineEdit) if each.accessibleName() == name)


def texts(dialog: SettingsDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel) if label.isVisibleTo(dialog)]


def test_a_search_runs_only_after_its_click_and_a_click_on_a_model_connects_it(qtbot: QtBot) -> None:
    dialog, cards = opened(qtbot)
    search = button(dialog, "Look for models")
    with qtbot.waitSignal(dialog.profiles.search_requested):
        search.click()
    assert not search.isEnabled()
    dialog.profiles.add_server(LocalServer("Jan", "http://127.0.0.1:1337/v1", ("jan-nano", "other")))
    dialog.profiles.end_search()
    assert search.isEnabled()
    offered = {each.row.name: each for each in cards.findChildren(StartButton)}
    assert set(offered) == {"jan-nano", "other"}
    with qtbot.waitSignal(dialog.profiles.probe_requested) as tested:
        offered["other"].click()
    profile = Profile("Jan", "http://127.0.0.1:1337/v1", "other")
    assert tested.args == [profile, ""]
    assert dialog.settings().profiles == (profile,)
    assert dialog.settings().active_profile == "Jan"


def test_a_server_without_models_is_told_with_what_it_lacks(qtbot: QtBot) -> None:
    dialog, _ = opened(qtbot)
    button(dialog, "Look for models").click()
    dialog.profiles.add_server(LocalServer("vLLM", "http://127.0.0.1:8000/v1", (), "key"))
    dialog.profiles.add_server(LocalServer("Ollama", "http://127.0.0.1:11434/v1", (), "model"))
    dialog.profiles.end_search()
    told = "\n".join(texts(dialog))
    assert "vLLM answered and wants a key." in told
    assert "Ollama answered and has no model yet: ollama pull qwen3:4b" in told
    assert dialog.settings().profiles == ()
    button(dialog, "Look for models").click()
    dialog.profiles.end_search()
    assert any(text.startswith("No model answered on this computer") for text in texts(dialog))


def test_a_pasted_key_chooses_its_provider_and_its_models_are_listed_in_place(qtbot: QtBot) -> None:
    dialog, cards = opened(qtbot)
    assert not button(dialog, "Show its models").isEnabled()
    QTest.keyClicks(field(cards, "Key of the new model"), "gsk_secret")
    provider = next(box for box in cards.findChildren(QComboBox) if box.accessibleName() == "Provider")
    assert provider.currentText() == "Groq"
    with qtbot.waitSignal(dialog.profiles.probe_requested) as listed:
        button(dialog, "Show its models").click()
    assert listed.args == [Profile("Groq", "https://api.groq.com/openai/v1", ""), "gsk_secret"]
    dialog.profiles.show_probe(ProbeResult(ok=False, sentences=("The key was refused.",)))
    assert "The key was refused." in texts(dialog)
    assert not cards.is_waiting()
    button(dialog, "Show its models").click()
    dialog.profiles.show_probe(
        ProbeResult(ok=True, sentences=("Choose a model.",), models=(ListedModel("a"), ListedModel("b")))
    )
    models = next(box for box in cards.findChildren(QComboBox) if box.accessibleName() == "Name of the new model")
    assert [models.itemText(place) for place in range(models.count())] == ["a", "b"]
    models.hidePopup()
    models.setCurrentText("b")
    button(dialog, "Use this model").click()
    (profile,) = dialog.settings().profiles
    assert (profile.name, profile.model) == ("Groq", "b")
    assert field(cards, "Key of the new model").text() == ""
    with qtbot.waitSignal(dialog.key_changed) as kept:
        button(dialog, "Save").click()
    assert kept.args == ["Groq", "gsk_secret"]


def test_another_address_is_typed_and_where_keys_are_made_is_told(qtbot: QtBot) -> None:
    dialog, cards = opened(qtbot, Settings(profiles=(WORK,)))
    button(dialog, "Connect a model").click()
    provider = next(box for box in cards.findChildren(QComboBox) if box.accessibleName() == "Provider")
    provider.setCurrentIndex(provider.findText("Mistral"))
    assert any("https://console.mistral.ai/api-keys" in text for text in texts(dialog))
    assert not field(cards, "Address of the new model").isVisible()
    provider.setCurrentIndex(provider.count() - 1)
    assert field(cards, "Address of the new model").isVisible()
    QTest.keyClicks(field(cards, "Address of the new model"), "models.example.org/v1")
    with qtbot.waitSignal(dialog.profiles.probe_requested) as listed:
        QTest.keyClick(field(cards, "Key of the new model"), Qt.Key.Key_Return)
    assert listed.args[0] == Profile("models.example.org", "https://models.example.org/v1", "")


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
