"""The gate of the protocol: a client sends what it gets to its model.

What the user wants masked has placeholders, hidden characters are visible, and control words are no control words.
"""

import threading
from collections.abc import Iterable
from typing import TypeVar, cast

from desktop_rag.settings import privacy
from desktop_rag.text.hidden_characters import as_data
from desktop_rag.text.json_types import Json, map_strings
from desktop_rag.text.secrets import SecretMask, Surroundings

Value = TypeVar("Value", bound=Json)


class AnswerMask:
    """Placeholders for secrets and chosen words, the same for the same value as long as the server runs.

    A client may name a placeholder in a call: its value is used there, and never returned.
    """

    def __init__(self) -> None:
        self._rules: tuple[tuple[str, ...], bool] = ((), True)
        self._mask = SecretMask()
        self._lock = threading.Lock()

    def masked(self, value: Value, around: Iterable[Surroundings] = ()) -> Value:
        """Return text or JSON as data for a model, with placeholders; raises `SettingsError` if no rules are known.

        `around` are its lines of documents with what stands around them.
        """
        rules = privacy()
        with self._lock:
            wanted = rules.never_words, rules.mask_secrets
            if wanted != self._rules:
                self._rules, self._mask = wanted, SecretMask(rules.never_words, secrets=rules.mask_secrets)
            for each in around:
                self._mask.learn(each)
            return cast("Value", map_strings(value, lambda text: self._mask.mask(as_data(text))))

    def restored(self, value: Value) -> Value:
        """Return text or JSON with the values in place of their placeholders."""
        with self._lock:
            return cast("Value", map_strings(value, self._mask.restore)) if self._mask.values else value
