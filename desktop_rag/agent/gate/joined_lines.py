"""Secrets whose parts are in several passages of a request: neighbouring lines that were read one after the other."""

from collections.abc import Iterable, Iterator, Sequence

from desktop_rag.llm.chat import Evidence, Message, ToolMessage, UserMessage
from desktop_rag.text.secrets import find_secrets

_AROUND = 3  # lines on each side of the end of a passage


def divided_secrets(messages: Iterable[Message]) -> Iterator[tuple[str, str]]:
    """Yield each part of a secret that two or more passages make together, and its kind."""
    files: dict[str, list[Evidence]] = {}
    for message in messages:
        if isinstance(message, UserMessage | ToolMessage):
            for evidence in message.evidence:
                files.setdefault(evidence.path or evidence.file, []).append(evidence)
    for passages in files.values():
        if len(passages) > 1:
            yield from _of_file(passages)


def _of_file(passages: Sequence[Evidence]) -> Iterator[tuple[str, str]]:
    texts: dict[int, str] = {}
    owners: dict[int, set[int]] = {}
    for number, passage in enumerate(passages):
        for line, text in enumerate(passage.lines, passage.first_line):
            texts[line] = text
            owners.setdefault(line, set()).add(number)
    for line in sorted(texts):
        if line + 1 in texts and not owners[line] & owners[line + 1]:
            near = [each for each in range(line - _AROUND + 1, line + _AROUND + 1) if each in texts]
            yield from _across(line, [each for each in near if _is_joined(each, line, texts)], texts)


def _is_joined(one: int, other: int, texts: dict[int, str]) -> bool:
    return all(line in texts for line in range(min(one, other), max(one, other) + 1))


def _across(border: int, lines: Sequence[int], texts: dict[int, str]) -> Iterator[tuple[str, str]]:
    """Yield the parts of the secrets that go on after the line `border`."""
    text = "\n".join(texts[line] for line in lines)
    end = sum(len(texts[line]) + 1 for line in lines if line <= border)
    for secret in find_secrets(text):
        if secret.start < end - 1 < secret.end:
            for part in text[secret.start : secret.end].split("\n"):
                yield part, secret.kind
