"""The requests with which an endpoint is tried; they are sent to models and never shown."""

from desktop_rag.llm.chat import ToolSpec, UserMessage

ECHO = ToolSpec(
    "echo", "Repeats a word.", '{"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}'
)
READY = UserMessage("Answer with the single word: ready")
COUNT = UserMessage("Count from one to twelve, in words.")
WORD = "harbour"
CALL_ECHO = UserMessage(f"Call the tool `echo` with the word “{WORD}”. Do not answer before you have its result.")
ECHOED = f"The tool repeats: {WORD}"
CALL_TWICE = UserMessage("Call the tool `echo` twice in one turn: with the word “one” and with the word “two”.")
FILLER = "This line only fills the page and means nothing at all.\n"


def recall(word: str, lines: int) -> str:
    """Return a prompt with `lines` lines of filler that asks for a word at its beginning."""
    return f"The code word is {word}.\n{FILLER * lines}\nWhat is the code word? Reply with the code word only."
