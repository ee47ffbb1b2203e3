"""Estimates token counts if the endpoint does not report them.

The weights were fitted by least squares to o200k, cl100k, Qwen, Mistral's Tekken and DeepSeek's tokenizers, aiming at
the second highest of the five, on English articles and papers, German, Arabic and Chinese XQuAD passages, Python and
JSON of 5,000 characters each. Letters with accents were then lowered by hand, because German was their only sample.
Estimate ÷ truth, over all of a kind: English and papers .99–1.05, code and JSON .96–1.04, German .90–1.10, Chinese
.79–1.48 and Arabic .56–1.28 (vocabularies differ there by two to one and more); single passages ±12 % of that.
"""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatRequest,
    Message,
    SystemMessage,
    TokenUsage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop_rag.llm.endpoint_traits import LLAMA_CPP, VLLM
from desktop_rag.llm.json_value import JsonObject, as_count, as_list, as_object, as_text
from desktop_rag.llm.listed_models import fetch_json
from desktop_rag.llm.transport import page_address
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

MESSAGE_OVERHEAD = 4  # role and separators; OpenAI's cookbook counts 3, the templates of local models 4 to 6

_PER_WORD = 0.9
_PER_LATE_LETTER = 0.28  # each letter after the seventh: longer words are cut
_PER_IDEOGRAPH = 0.97
_PER_ACCENTED = 3.0  # the word is not English and is split into more tokens
_PER_OTHER_LETTER = 0.44
_PER_DIGIT = 0.9  # Qwen takes each digit alone, OpenAI three at a time
_PER_PUNCTUATION = 1.4
_LATE = 7
LEAST_SUSPICIOUS = 2_000  # tokens; a server whose context is half of that is of no use
NEAR = 32  # tokens below a window that a cut prompt may have
_CLEARLY = 0.95
USUAL_WINDOWS = (2_048, 4_096, 8_192, 16_384, 32_768)

_WORD = re.compile(r"[A-Za-z]+")
_IDEOGRAPH = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_ACCENTED = re.compile(r"[\u00c0-\u024f]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_DIGIT = re.compile(r"[0-9]")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]+")


def estimate(text: str) -> int:
    """Estimate the tokens of `text`; 0 only for an empty text."""
    words = _WORD.findall(text)
    late = sum(length - _LATE for length in map(len, words) if length > _LATE)
    ideographs = len(_IDEOGRAPH.findall(text))
    accented = len(_ACCENTED.findall(text))
    total = (
        _PER_WORD * len(words)
        + _PER_LATE_LETTER * late
        + _PER_IDEOGRAPH * ideographs
        + _PER_ACCENTED * accented
        + _PER_OTHER_LETTER * (len(_NOT_ASCII.findall(text)) - ideographs - accented)
        + _PER_DIGIT * len(_DIGIT.findall(text))
        + _PER_PUNCTUATION * len(_PUNCTUATION.findall(text))
    )
    return max(round(total), 1) if text else 0


def of_message(message: Message) -> int:
    """Estimate the tokens of a message in a request, with tool calls, without evidence structure."""
    total = MESSAGE_OVERHEAD + estimate(message.text)
    if isinstance(message, AssistantMessage):
        total += sum(estimate(call.name) + estimate(call.arguments) + MESSAGE_OVERHEAD for call in message.tool_calls)
        total += estimate(message.reasoning)
    elif isinstance(message, ToolMessage):
        total += estimate(message.name)
    return total


def of_tools(tools: Sequence[ToolSpec]) -> int:
    """Estimate the tokens of the tool descriptions."""
    return sum(
        MESSAGE_OVERHEAD + estimate(tool.name) + estimate(tool.description) + estimate(tool.parameters)
        for tool in tools
    )


def of_request(messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> int:
    """Estimate the tokens of a whole prompt."""
    return sum(map(of_message, messages)) + of_tools(tools)


def is_truncated(usage: TokenUsage, sent: int) -> bool:
    """Return whether an endpoint read far less than the `sent` tokens, by our estimate.

    Ollama drops the beginning of what exceeds its context and says nothing; what it counts is then the size of the
    context or a little less. Estimates are never twice the truth, nor 1.5 times it beside such a size.
    """
    read = usage.prompt + (usage.cached if usage.cached > usage.prompt else 0)
    if usage.estimated or sent < LEAST_SUSPICIOUS or read < LEAST_SUSPICIOUS // 2:
        return False
    return read < sent * (0.66 if is_at_a_limit(read, sent) else 0.5)


def is_at_a_limit(read: int, sent: int) -> bool:
    """Return whether a count is as large as a context of a usual size, and less than what was sent by our estimate."""
    return read < _CLEARLY * sent and any(size - NEAR <= read <= size for size in USUAL_WINDOWS)


# Finds out whether a server dropped a part of a long prompt where its token count does not tell: by code words.
#
# Ollama drops what exceeds its context without an error: the messages after the instructions, or the beginning of the
# only one. So one word is at the head of the instructions, one at the head of the first other message, and one at the
# end, which a model must repeat before it says anything that it does not repeat the others.

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


# Token counts by the server's own tokenizer and template, where it offers them: llama.cpp and vLLM.

_COUNTED = ("messages", "tools", "chat_template_kwargs")  # fields of a request that become the prompt


def count_prompt(profile: Profile, key: str, address: str, server: str, body: JsonObject, stop: Stop) -> int:
    """Return the tokens of a chat completion's prompt as `server` at `address` counts them, 0 if it does not tell."""

    def told(page: str, asked: JsonObject) -> Mapping[str, object]:
        return as_object(fetch_json(profile, key, page_address(address, page, beside_v1=True), stop, asked))

    prompt = {name: body[name] for name in _COUNTED if name in body}
    if "messages" not in prompt:
        return 0
    if server == VLLM:
        asked = {"model": profile.model, **prompt, "add_generation_prompt": True}
        return as_count(told("/tokenize", asked).get("count"))
    if server != LLAMA_CPP:
        return 0
    text = as_text(told("/apply-template", prompt).get("prompt"))
    asked = {"content": text, "add_special": True, "parse_special": True}
    return len(as_list(told("/tokenize", asked).get("tokens"))) if text else 0
