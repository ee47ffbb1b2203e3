"""Separates a model's answer from thinking and tool calls that it writes into the same text."""

import re
from collections.abc import Collection, Iterator

from desktop_rag.llm.chat import ReasoningDelta, TextDelta
from desktop_rag.llm.written_calls import call_position, uncertain_length

_CHANNELS = (  # of thinking: gpt-oss (Harmony), Gemma
    *("<|start|>assistant<|channel|>analysis<|message|>", "<|channel|>analysis<|message|>", "<|channel>thought"),
    "<|channel|>commentary<|message|>",
)
_THOUGHTS = ("think", "thinking", "thought", "reasoning", "seed:think", "THINK")
_OPENING = (*(f"<{name}>" for name in _THOUGHTS), *_CHANNELS)
# Of the channel that has the answer; what stands before one is thinking.
_FINAL = (
    *("<|start|>assistant<|channel|>final<|message|>", "<|channel|>final<|message|>", "<channel|>"),
    *(
        "<|start|>assistant<|channel|>final <|constrain|>text<|message|>",
        "<|channel|>final <|constrain|>text<|message|>",
    ),
)
_WRAPPERS = ("<answer>", "<|begin_of_box|>", "<|channel>final\n")  # before an answer
# The same where a server has dropped the tokens: “analysisThe lease says so.assistantfinalThe rent is …”.
_BARE, _BARE_FINAL = "analysis", "assistantfinal"
_BARE_OPENING = re.compile(rf"\s*(?:assistant)?{_BARE}(?=[A-Z“\"'])")
_LONGEST_UNCERTAIN = 2_000  # characters that are held back, such as blank lines before a call
_PIECE = 2_000  # characters that are looked through at once: for lines that may begin calls it takes quadratic time
_CLOSING = tuple(f"</{name}>" for name in _THOUGHTS)
# With which models end a turn: a server with the wrong template passes them on. Elsewhere they are part of an answer.
_END_TOKENS = (
    *("<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|endoftext|>", "<|end|>", "<|return|>", "</s>"),
    *("</answer>", "<|end_of_box|>", "</tools>", "</tool_response>"),
    *("<end_of_turn>", "<turn|>", "<｜end▁of▁sentence｜>", "<|end_of_turn|>", "<|END_OF_TURN_TOKEN|>", "<eos>"),
)
_LONGEST_TOKEN = max(map(len, (*_END_TOKENS, *_CHANNELS, *_FINAL, *_WRAPPERS)))
_LONGEST_END = 200  # characters
_END = re.compile(rf"(?:\s*(?:{'|'.join(map(re.escape, _END_TOKENS))}))+\s*\Z")


class ContentSplitter:
    """Splits streamed `content`; a tag may be split anywhere.

    Thinking is recognised only at the beginning, so an answer may mention `<think>`. From the first sign of a written
    call of one of the `tools` the rest goes to `withheld` instead of being emitted.
    """

    def __init__(self, *, thinking: bool = False, tools: Collection[str] = ()) -> None:
        """With `thinking`, start inside a thinking block, because the model's prompt template opens it."""
        self._thinking = self._assumed = thinking
        self._closing: tuple[str, ...] = (*_CLOSING, *_FINAL)
        self._tools = tools
        self._pending = ""
        self._started = False
        self._at_line_start = True
        self._withheld: list[str] = []
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self.closed_unopened = False  # a closing tag came without an opening one

    @property
    def withheld(self) -> str:
        """Return what follows the first sign of a written call."""
        return "".join(self._withheld)

    @property
    def text(self) -> str:
        """Return the answer so far."""
        return "".join(self._text)

    @property
    def reasoning(self) -> str:
        """Return the thinking so far."""
        return "".join(self._reasoning)

    def release(self) -> str:
        """Count what was withheld as answer text after all, and return it."""
        released = self.withheld
        self._text.append(released)
        return released

    def feed(self, piece: str) -> Iterator[TextDelta | ReasoningDelta]:
        """Yield the text that is unambiguous after `piece`."""
        for start in range(0, len(piece), _PIECE):
            yield from self._feed(piece[start : start + _PIECE])

    def _feed(self, piece: str) -> Iterator[TextDelta | ReasoningDelta]:
        if self._withheld:
            self._withheld.append(piece)
            return
        self._pending += piece
        while self._pending:
            found = self._next_tag()
            call = self._call_position()
            if call is not None and any(tag.startswith(self._pending[call:]) for tag in self._tags()):
                yield from self._emit(call)
                return
            if call is not None and (found is None or call < found[0]):
                yield from self._emit(call)
                self._withheld, self._pending = [self._pending], ""
                return
            if found is None:
                yield from self._emit(len(self._pending) - self._uncertain())
                return
            position, tag = found
            yield from self._emit(position)
            self._consume_tag(tag)

    def end(self) -> Iterator[TextDelta | ReasoningDelta]:
        """Flush the buffer but for tokens that end a turn; an unterminated thinking block counts as answer text."""
        yield from self._emit(len(self._pending) - self._end_tokens(len(self._pending)))
        if self._thinking and self._assumed:
            self._text, self._reasoning = self._reasoning, []
            yield TextDelta(self.text)

    def _tags(self) -> tuple[str, ...]:
        if self._thinking:
            return self._closing
        opening = () if self._started else _CHANNELS if self._reasoning else _OPENING
        closing = _FINAL if self._reasoning and self._started else (*_CLOSING, *_FINAL)
        return (*opening, *closing, *(() if self._started else _WRAPPERS))

    def _call_position(self) -> int | None:
        if self._thinking or not self._tools:
            return None
        return call_position(self._pending, self._tools, at_line_start=self._at_line_start)

    def _next_tag(self) -> tuple[int, str] | None:
        if not (self._started or self._thinking or self._reasoning) and (bare := _BARE_OPENING.match(self._pending)):
            return 0, bare[0]
        found = [(position, tag) for tag in self._tags() if (position := self._pending.find(tag)) >= 0]
        if found and min(found)[1] in (*_OPENING, *_WRAPPERS) and self._pending[: min(found)[0]].strip():
            found = [(position, tag) for position, tag in found if tag not in (*_OPENING, *_WRAPPERS)]
        return min(found, default=None)

    def _uncertain(self) -> int:
        """Return the number of characters at the end that may begin a tag, or be tokens that end the turn."""
        if not (self._started or self._thinking) and any(
            start.startswith(self._pending.strip()) for start in (_BARE, f"assistant{_BARE}")
        ):
            return len(self._pending)
        if self._closing == (_BARE_FINAL,) and self._thinking:
            return next(n for n in range(len(_BARE_FINAL), -1, -1) if self._pending.endswith(_BARE_FINAL[:n]))
        size, at = 0, self._pending.find("<", max(0, len(self._pending) - _LONGEST_TOKEN))
        tags = (*self._tags(), *_END_TOKENS) if at >= 0 else ()
        while at >= 0 and not size:
            if any(tag.startswith(self._pending[at:]) for tag in tags):
                size = len(self._pending) - at
            at = self._pending.find("<", at + 1)
        return max(size + self._end_tokens(len(self._pending) - size), self._uncertain_call())

    def _end_tokens(self, length: int) -> int:
        """Return the number of characters before `length` that are tokens at the end of a turn."""
        found = _END.search(self._pending[max(0, length - _LONGEST_END) : length])
        return len(found[0]) if found else 0

    def _uncertain_call(self) -> int:
        if self._thinking or not self._tools or len(self._pending) > _LONGEST_UNCERTAIN:
            return 0
        return uncertain_length(self._pending, self._tools, at_line_start=self._at_line_start)

    def _emit(self, size: int) -> Iterator[TextDelta | ReasoningDelta]:
        piece, self._pending = self._pending[:size], self._pending[size:]
        if self._thinking:
            if piece:
                self._reasoning.append(piece)
                yield ReasoningDelta(piece)
            return
        if not self._started:
            piece = piece.lstrip()
        if piece:
            self._started = True
            self._at_line_start = piece.endswith("\n")
            self._text.append(piece)
            yield TextDelta(piece)

    def _consume_tag(self, tag: str) -> None:
        self._pending = self._pending[len(tag) :]
        if tag in (*_CLOSING, *_FINAL) and not self._thinking:  # the text so far was thinking
            self.closed_unopened = self.closed_unopened or (tag in _CLOSING and not self._reasoning)
            self._reasoning, self._text = [*self._reasoning, *self._text], []
        is_bare = tag.endswith(_BARE)
        self._thinking = tag in _OPENING or is_bare
        self._assumed = is_bare
        self._closing = (_BARE_FINAL,) if is_bare else (*_FINAL, "<|end|>") if tag in _CHANNELS else _CLOSING
        self._started = False
