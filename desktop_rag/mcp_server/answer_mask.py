"""Masks in what a client gets what the user wants masked: a client sends it to its model."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, cast

from desktop_rag.settings import privacy
from desktop_rag.text.json_types import Json
from desktop_rag.text.secrets import SecretMask

Value = TypeVar("Value", bound=Json)


class AnswerMask:
    """Placeholders for secrets and chosen words, the same for the same value as long as the server runs.

    A client may name a placeholder in a call: its value is used there, and never returned.
    """

    def __init__(self) -> None:
        self._rules: tuple[tuple[str, ...], bool] = ((), True)
        self._mask = SecretMask()
        self._lock = threading.Lock()

    def masked(self, value: Value) -> Value:
        """Return text or JSON with placeholders in its strings; raises `SettingsError` if the rules are not known."""
        rules = privacy()
        with self._lock:
            wanted = rules.never_words, rules.mask_secrets
            if wanted != self._rules:
                self._rules, self._mask = wanted, SecretMask(rules.never_words, secrets=rules.mask_secrets)
            return cast("Value", _changed(value, self._mask.mask))

    def restored(self, value: Value) -> Value:
        """Return text or JSON with the values in place of their placeholders."""
        with self._lock:
            return cast("Value", _changed(value, self._mask.restore)) if self._mask.values else value


def _changed(value: Json, change: Callable[[str], str]) -> Json:
    match value:
        case str():
            return change(value)
        case Mapping():
            return {key: _changed(each, change) for key, each in value.items()}
        case Sequence():
            return [_changed(each, change) for each in value]
        case _:
            return value
