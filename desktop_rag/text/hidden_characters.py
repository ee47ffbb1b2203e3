"""Characters that a reader does not see but a model reads, and words that servers take for control tokens.

Orders can be written in Unicode tags, in variation selectors or between bidirectional overrides: no reader of the
document would notice them (Unicode Technical Report 36). Chat templates of models add control tokens to a prompt as
words; the same words in a document must not begin a turn or a tool call.
"""

import html
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from markdown_it.token import Token

_REPLACED = "\ufffd"
# Soft hyphens, zero-width characters, marks and overrides of direction, invisible operators, annotation marks.
_DROPPED = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
# Joiners and vowels without a shape, format controls of music and shorthand, and what Unicode keeps free for more.
_SHAPELESS = (
    "\u034f\u17b4\u17b5\ufff0-\ufff8\U00016fe4\U0001d159\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
)
_MISPLACED = (  # selectors of Mongolian, fillers of Korean, joiners of hieroglyphs: only where they are needed
    r"(?<![\u1800-\u18af])[\u180b-\u180d\u180f]|\u115f(?![\u1161-\u11ff\ud7b0-\ud7c6])"
    r"|(?<![\u1100-\u115e\ua960-\ua97c])\u1160|(?<![\U00013000-\U0001345f])[\U00013430-\U0001343f]"
)
_BLANKS = "\u3164\uffa0"  # Korean fillers that are written as spaces
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
_FLOOD = rf"(?<=[{_MARKS}]{{8}})[{_MARKS}]+"  # no language stacks more marks on a letter
_TAGS = "\U000e0000-\U000e007f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# What has variants: ideographs, signs of mathematics, Myanmar, Phags-pa, wide punctuation, Manichaean, hieroglyphs.
_VARIED = (
    f"0{_HAN}\u2200-\u22ff\u2a00-\u2aff\u1000-\u109f\uaa60-\uaa7f\ua840-\ua87f\u3001-\u3002\uff01-\uff1f"
    "\U00010ac0-\U00010aff\U00013000-\U000143ff"
)
_CONTROLS = "\x00-\x08\x0e-\x1f\x7f-\x9f"
_HIDDEN = re.compile(
    f"(?P<flag>(?<=\U0001f3f4)[{_TAGS}]+)"  # the flags of England, Scotland, Wales: the black flag remains
    f"|(?P<secret>[{_TAGS}]+|(?<=[^{_VARIED}])[\ufe00-\ufe0d\U000e0100-\U000e01ef][{_SELECTORS}]*"
    f"|(?<=[{_SELECTORS}])[{_SELECTORS}]+|[\ud800-\udfff\ufffe\uffff])"
    f"|(?P<blank>[{_BLANKS}])|[{_DROPPED}{_SHAPELESS}{_CONTROLS}]|{_MISPLACED}|{_FLOOD}"
    # No letter has a form as emoji but ℹ; of ASCII, digits, # and * become keys.
    r"|(?<=[\x00-\x22\x24-\x29\x2b-\x2f\x3a-\x7f])[\ufe0e\ufe0f]|(?<=[^\W\d_])(?<!\u2139)[\ufe0e\ufe0f]"
    "|(?<=[\x00-\x7f\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?=[\x00-\x7f])"
)
_VARIANT = re.compile(f"(?<=[{_HAN}])[\ufe00-\ufe02\U000e0100-\U000e01ef]")
_VARIANTS, _RARE = 8, 0.1  # so many, and for this share of all characters, are no names of people and places
_MAY_HIDE = re.compile(
    f"[{_DROPPED}{_SHAPELESS}{_TAGS}{_SELECTORS}{_CONTROLS}\ud800-\udfff\ufffe\uffff\u200c\u200d"
    f"{_MARKS}{_BLANKS}\u115f\u1160\u180b-\u180d\u180f\U00013430-\U0001343f]"
)
_CONTROL_WORD = re.compile(
    r"[<＜][|｜][^<>＜＞\n]{0,60}?[|｜]?[>＞]|[<＜][|｜]"  # ChatML, Llama 3, Phi, GLM, DeepSeek
    r"|(?i:</?(?:s|(?:bos|eos|eop)(?:_token)?|pad|unk|sop|think|(?:start|end)_of_(?:turn|image)|tool_?(?:calls?|response|result|outputs?)"
    r"|function_(?:calls?|response)|function=[\w.-]{0,60}|parameter=[\w.-]{0,60}|invoke(?: [^<>\n]{0,60})?"
    r"|mask|(?:start|end)_function_(?:call|declaration|response)|escape|available_tools|special_\d{1,4}|eo[ah]"
    r"|reserved_\d{1,4}|longcat_\w{1,20}|__media__"
    r"|ctrl\d{1,4}|hy_[a-z_]{1,20}|_(?:system|user|bot|end)|role|(?:beginning|end)_of_sentence|image_soft_token"
    r"|unused\d{1,4}|extra_id_\d{1,3}|end_of_utterance|arg_(?:key|value)|system(?:[_-](?:reminder|prompt))?"
    r"|[a-z]{1,20}:(?:think|tool_calls?)|[a-z_]{1,20}[|｜])>)"
    r"|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|gMASK|THINK|ARGS"
    r"|CALL_ID|MODEL_SETTINGS|IMG_(?:BREAK|END)|PREFIX|SUFFIX|MIDDLE|unused\d{1,4}|extra_id_\d{1,3})\]|\[\|[A-Za-z_]{1,20}\|\]|\]~!?b\[?\]?|\[e~\["
)
_LOOKALIKES = str.maketrans("<>[]＜＞", "⟨⟩⟦⟧⟨⟩")


def visible(text: str) -> str:
    """Return `text` without invisible characters; what could be a hidden message becomes U+FFFD.

    Joiners between letters and single variation selectors stay: scripts and emoji need them.
    """
    if (text.isascii() and text.isprintable()) or not _MAY_HIDE.search(text):
        return text
    variants = len(_VARIANT.findall(text))
    if variants > max(_VARIANTS, _RARE * len(text)):
        text = _VARIANT.sub(_REPLACED, text, count=1)
        text = _VARIANT.sub("", text)
    return _HIDDEN.sub(lambda found: _REPLACED if found["secret"] else " " if found["blank"] else "", text)


def as_data(text: str) -> str:
    """Return `text` for a model: visible, and with look-alike brackets around the control words of chat templates.

    `text.normalize.fold_quote` takes the look-alikes for the brackets, so that quotations are still found.
    """
    return _CONTROL_WORD.sub(lambda found: found[0].translate(_LOOKALIKES), visible(text))


# Markdown of a model for other programs, which may load what it names: an address of a picture can carry data away.
#
# Pictures become links and HTML its own text (EchoLeak, CVE-2025-32711); nothing is loaded until somebody clicks. Links
# lead to the web or a mail address: one with another scheme would run, or open, what a document chose.

_LOADS = re.compile(r"!\[|<[A-Za-z/!?]|\]\(|\]:")
_ESCAPABLE = (
    r"(?P<loads>!(?=\[)|<(?=[A-Za-z/!?]))"
    r"|(?P<link>\]\((?P<target>[^)\n]*))|(?P<definition>\[[^\]\n]{1,999}\]:(?P<address>[^\n]*))"
)
_SCHEMES = frozenset({"http", "https", "mailto", "cite"})
_EVERYWHERE = re.compile(rf"\\.|{_ESCAPABLE}")
# As CommonMark mostly reads a line, from the left: an escaped character, code, a run of backticks that ends nowhere.
_BESIDE_CODE = re.compile(rf"\\.|(?<!`)(?P<ticks>`+)(?!`)[^\n|]*?(?<!`)(?P=ticks)(?!`)|`+|{_ESCAPABLE}")


def inert_markdown(text: str) -> str:
    """Return Markdown that renders the same and loads nothing, without hidden characters; fenced code is unchanged.

    So is inline code, unless that would make the line ambiguous.
    """
    text = visible(text)
    if not _LOADS.search(text):
        return text
    from markdown_it import MarkdownIt

    class Reader(MarkdownIt):
        """Takes what other readers may take for a link."""

        def validateLink(self, url: str) -> bool:  # noqa: N802 - the name of the library
            return True

    reader = Reader("commonmark", {"html": False}).enable(["table", "strikethrough"])
    code = frozenset(line for token in reader.parse(text) if token.map for line in _fenced(token.type, token.map))
    lines = text.split("\n")
    made = _escaped_lines(lines, code, _BESIDE_CODE)
    reader.options["html"] = True
    for token in reader.parse(made):
        if any(map(_acts, (token, *(token.children or ())))):
            return _escaped_lines(lines, frozenset(), _EVERYWHERE)
    return made


def _fenced(kind: str, lines: Iterable[int]) -> Iterable[int]:
    return range(*lines) if kind == "fence" else ()


def _escaped_lines(lines: Iterable[str], code: frozenset[int], parts: re.Pattern[str]) -> str:
    return "\n".join(line if number in code else parts.sub(_escaped, line) for number, line in enumerate(lines))


def _acts(token: "Token") -> bool:
    if token.type == "link_open":
        return _is_foreign(str(token.attrs.get("href", "")))
    return token.type in {"image", "html_inline", "html_block"}


def _escaped(found: re.Match[str]) -> str:
    if found["link"] and _is_foreign(found["target"]):
        return f"]\\{found[0][1:]}"
    if found["definition"] and _is_foreign(found["address"]):
        return f"\\{found[0]}"
    return f"\\{found[0]}" if found["loads"] else found[0]


def _is_foreign(target: str) -> bool:
    """Return whether a link leads to a hidden host or another scheme; an empty target goes on in the next line."""
    address = next(iter(re.findall(r"<[^>]*|\S+", target)), "")
    readable = html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", unquote(address)))
    plain = re.sub(r"[\x00-\x20\x7f<]", "", readable).replace("\\", "/")
    scheme, colon, _ = re.split(r"[/?#]", plain)[0].partition(":")
    return not plain or plain.startswith("//") or (bool(colon) and scheme.lower() not in _SCHEMES)
