"""Finds out whether a server dropped a part of a long prompt where its token count does not tell: by code words.

Ollama drops what exceeds its context without an error: the messages after the instructions, or the beginning of the
only one. So one word is at the head of the instructions, one at the head of the first other message, and one at
the end, which a model must repeat before it says anything that it does not repeat the others.
"""

import secrets
from dataclasses import dataclass, replace
from enum import Enum

from desktop_rag.llm.chat import ChatRequest, Message, SystemMessage, TokenUsage, ToolMessage, UserMessage
from desktop_rag.llm.tokens.token_estimates import LEAST_SUSPICIOUS, USUAL_WINDOWS, is_at_a_limit

ANSWER_TOKENS = 300  # models that think need some before they answer
_ASKED = (
    "Code C is {0}.\nThree codes stand in this conversation: code A and code B at its beginning, code C here. "
    "Reply with the three codes and nothing else."
)
_ALIKE = 16  # tokens by which two counts differ that are cut off at one size
_GROWN = 1.25  # times a prompt must have grown, by our estimate, for its count to be stuck


class Arrived(Enum):
    """How much of a prompt reached the model."""

    WHOLE = "all of it"
    CUT = "not its beginning"
    UNCLEAR = "the model does not repeat code words"


@dataclass(frozen=True, slots=True)
class CountedPrompt:
    """A prompt by our estimate, and the server's count."""

    estimated: int
    counted: int


def is_in_doubt(usage: TokenUsage | None, estimated: int, whole: int, before: CountedPrompt | None) -> bool:
    """Return whether a prompt may have been cut off, though its count does not show it.

    None came, or it is stuck, or as large as a context of a usual size. Prompts of `whole` tokens arrived; a larger
    one is in doubt if it is beyond the next usual size.
    """
    if not any(whole < size < estimated for size in USUAL_WINDOWS):
        return False
    if usage is None or is_at_a_limit(usage.prompt, estimated):
        return True
    if before is None:
        return False
    if usage.prompt < LEAST_SUSPICIOUS // 2:
        return False
    return abs(before.counted - usage.prompt) <= _ALIKE and estimated >= _GROWN * before.estimated


def with_code_words(request: ChatRequest) -> tuple[ChatRequest, tuple[str, str, str]]:
    """Return a request of the same prompt that asks for its code words, and these.

    Tools are written into it as text: the prompt must stay as long, and the model must not call them.
    """
    first, second, third = words = _new_word(), _new_word(), _new_word()
    tools = "\n".join(f"{tool.name} {tool.description} {tool.parameters}" for tool in request.tools)
    messages = list(request.messages)
    instructions = messages.pop(0).text if isinstance(messages[0], SystemMessage) else ""
    messages = [_headed(message, f"Code B is {second}.\n") for message in messages[:1]] + messages[1:]
    messages.insert(0, SystemMessage(f"Code A is {first}.\n{instructions}\n{tools}"))
    messages.append(UserMessage(_ASKED.format(third)))
    return replace(request, messages=tuple(messages), tools=(), schema="", max_tokens=ANSWER_TOKENS), words


def judge(reply: str, words: tuple[str, str, str]) -> Arrived:
    """Return how much of a prompt arrived, by the reply to the request for its code words."""
    instructions, beginning, end = (word in reply for word in words)
    if instructions and beginning:
        return Arrived.WHOLE
    return Arrived.CUT if end and not beginning else Arrived.UNCLEAR


def _headed(message: Message, head: str) -> Message:
    return replace(message, text=head + message.text) if isinstance(message, UserMessage | ToolMessage) else message


def _new_word() -> str:
    return str(secrets.randbelow(900_000) + 100_000)
