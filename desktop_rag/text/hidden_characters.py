"""Characters that a reader does not see but a model reads, and words that servers take for control tokens.

Orders can be written in Unicode tags, in variation selectors or between bidirectional overrides: no reader of the
document would notice them (Unicode Technical Report 36). Chat templates of models add control tokens to a prompt as
words; the same words in a document must not begin a turn or a tool call.
"""

import re

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
