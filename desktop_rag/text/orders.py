"""Rules for passages that give orders to a model ("prompt injection"): the order, its addressee, and in whose name.

They only warn. Nothing relies on them: what an obeying model may do is bounded by the tools, the scope and the gate.
Every repetition has a bound, so that the time grows with the length of the text alone.
"""

import base64
import re
import unicodedata

from desktop_rag.text.hidden_characters import visible

_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_SPACES = re.compile(r"\s+")
_MODEL = (
    r"(?:ai|a\.i\.|llms?|(?:large )?language models?|chatbots?|chatgpt|gpt-?\d?|claude|copilot|gemini|assistants?"
    r"|ai (?:agents?|models?|assistants?|systems?))"
)
_ORDERS = r"(?:instructions?|prompts?|directives?|directions|guidelines|rules|commands?|programming|orders)"
_RULES = (
    # Set aside what was said before: English, German, French, Spanish, Portuguese, Italian, Dutch, Polish,
    # Russian, Chinese, Japanese, Korean.
    r"\b(?:ignore|disregard|forget|override|bypass|neglect) (?:[\w']+ ){0,4}?(?:previous|prior|above|earlier"
    rf"|preceding|existing|initial|all|any|your|safety|system) (?:[\w']+ ){{0,4}}?{_ORDERS}\b",
    rf"\b(?:ignore|disregard|forget|override) (?:the |these |those |my )?{_ORDERS} (?:above|before|you)\b",
    r"\b(?:ignore|disregard|forget) (?:the (?:above|user)\b(?! (?:interface|guide|manual))|everything (?:you"
    r"|above|before))",
    r"\b(?:ignorier|vergiss|vergesst|vergessen sie|missacht|übergeh)\w{0,4} (?:[\w]+ ){0,5}?"
    r"(?:anweisung|instruktion|vorgabe|befehl|regel|aufforderung|anordnung|system-?prompt)",
    r"\b(?:ignore[rz]?|oublie[rz]?|néglige[rz]?|ne ti?en[sez]{1,2} pas compte) (?:[\w']+ ){0,4}?"
    r"(?:instructions?|consignes?|directives?|règles?)\b",
    r"\b(?:ignor[aei]\w{0,3}|olvid[ae]\w{0,2}|desconsider[ae]|esque[cç]\w{1,3}|dimentica\w{0,3}) "
    r"(?:[\w']+ ){0,4}?(?:instrucciones|órdenes|reglas|indicaciones|instruções|ordens|regras|istruzioni"
    r"|regole)\b",
    r"\bnegeer (?:\w+ ){0,4}?(?:instructies|opdrachten|regels)\b",
    r"\b(?:zi?gnoruj|zapomnij o) (?:\w+ ){0,4}?(?:instrukcj|polece|zasad)",
    r"\b(?:проигнорируй|игнорируй|забудь)\w{0,2} (?:\w+ ){0,4}?(?:инструкци|указани|команд|правил)",
    r"(?:忽略|无视|無視|忘记|忘記|不要理会|不要遵守|请忽略)[^。!?]{0,16}?(?:指令|指示|提示词|提示|命令|规则|規則|说明)",
    r"(?:指示|命令|指令|ルール)[^。]{0,4}(?:無視|忘れ)|(?:지시|명령|지침)[^.]{0,8}(?:무시|잊)",
    # Speak to a model.
    rf"\b(?:note|message|notice|attention|instructions?|reminder|hint|hello|dear)(?: to| for|,)? "
    rf"(?:the |any |all |an? )?{_MODEL}\b(?! (?:systems? )?(?:act|research|users?|developers?)\b)"
    r"(?= (?:reading|processing|that|who|which|summari)|[:,!])",
    rf"\b{_MODEL} (?:(?:that|who) (?:is |are )?)?(?:reads?|reading|process(?:es|ing)?|summari[sz](?:es|ing))"
    r" (?:this|the following)\b",
    rf"\bif you(?: are|'re) an? {_MODEL}\b",
    rf"\b(?:ai|assistant|llm|chatbot): (?:please |now |you )?(?:{_ORDERS}|ignore|disregard|forget|must|always"
    r"|never|do not|open|send|print|write|reveal|output|call|include)\b",
    r"\b(?:hinweis|nachricht|anweisung(?:en)?|achtung)(?: an|,)? (?:die |den |das |alle )?"
    r"(?:ki|ai|assistent|sprachmodell|chatbot)[\w-]{0,12}",
    r"\bwenn du ein\w{0,2} (?:ki|sprachmodell|assistent)\b",
    r"(?:致|告诉|请注意|给)[^。]{0,6}(?:ai|人工智能|语言模型|大模型)[^。]{0,4}[::,,]",
    r"如果你是[^。]{0,4}(?:ai|人工智能|语言模型|大模型|助手)",
    # Give it another role, or none of its rules.
    r"\byou are (?:now|no longer) (?:in |an? |the )?(?:[\w\"'“]+ ){0,3}?(?:mode|dan|ai|assistant|model"
    r"|chatbot|bound|restricted|unrestricted)\b",
    r"\b(?:enter|enable|activate|switch to|now in) (?:\w+ )?(?:developer|debug|maintenance|god|dan|jailbreak"
    r"|admin) mode\b",
    rf"\b(?:pretend|imagine|act as if) (?:that )?(?:to be |you are |you're )(?:an? )?(?:\w+ ){{0,3}}?"
    rf"{_MODEL}\b",
    r"\b(?:act|role-?play) as (?:an? )?(?:unrestricted|unfiltered|evil|jailbroken|dan)\b",
    rf"\b{_MODEL} (?:without|with no|free of|that has no) (?:any |its )?(?:rules|restrictions|limits|filters"
    r"|guidelines)\b",
    # Speak in another's name: other speakers, templates of chats, calls of tools.
    r"\b(?:system|developer|admin(?:istrator)?) ?(?:message|prompt|override|notice|note)?\]?: (?:you|ignore"
    r"|disregard|override|new |the user|the assistant|from now|do not|always|never|must)\b",
    r"\[(?:system|developer|admin(?:istrator)?)(?: message| prompt| override| note)?\]:? (?!\W)",
    r"\bnew (?:policy|instructions?|rules?|task|directive): (?:you|always|never|do|from now|ignore|must)\b",
    r"\byour new (?:task|goal|role) is\b",
    r"\bnew (?:task|question|request|instructions?) (?:from|by|of) the user:|\bend of data [0-9a-f]{6,16}\b",
    r"<\|(?:im_start|im_end|system|user|assistant|start_header_id|eot_id|end)\|>|<<sys>>|\[/?inst\]",
    r"</?(?:(?:start|end)_of_turn|tool_calls?|function_calls?|tool_response)>",
    r"\"name\": ?\"\w{1,40}\", ?\"arguments\": ?[{\"]",
    # Carry something away, or keep it from the user.
    r"!\[[^\]]{0,80}\]\(https?://[^)\s]{1,200}[?=][^)\s]{0,80}(?:answer|secret|api_?key|conversation|history|context"
    r"|prompt|[{<])",
    r"\b(?:tell|instruct|urge|get) the user to (?:click|visit|open|go to|call|enter|run|download|install)\b",
    r"\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|alert|alerting) "
    r"(?:this to |it to )?the user\b",
    r"\b(?:reveal|print|show|repeat|output|leak|tell me|quote) (?:me )?(?:your|the) (?:[\w']+ ){0,2}?"
    r"(?:system prompt|system instructions|initial instructions|hidden instructions|api keys? of)\b",
    r"\b(?:send|post|forward|email|e-mail|upload|exfiltrate|transmit|append|encode|embed) (?:[\w']+ ){0,4}?"
    r"(?:conversation|chat history|system prompt|api keys?|user'?s? (?:data|question|documents?|files?)) "
    r"(?:\w+ ){0,3}?(?:to|into|in|as|at) ",
)
# A word's beginning is looked for once for all the rules that start at one: six times as fast as each for itself.
_WORD = r"\b"
_AT_WORDS = re.compile(
    rf"\b(?=\w)(?:{'|'.join(rule.removeprefix(_WORD) for rule in _RULES if rule.startswith(_WORD))})"
)
_ELSEWHERE = tuple(re.compile(rule) for rule in _RULES if not rule.startswith(_WORD))


def gives_orders(text: str) -> bool:
    """Return whether a passage seems to give orders to a model; what is hidden or encoded is read as a model would."""
    revealed = _SELECTORS.sub(
        lambda found: _of_selectors(found[0]), _TAGS.sub(lambda tags: " " + tags[0].translate(_FROM_TAGS), text)
    )
    plain = unicodedata.normalize("NFKC", visible(revealed)).replace("’", "'")
    decoded = " ".join(filter(None, map(_decoded, _BASE64.findall(plain))))
    latin = "" if plain.isascii() else _MIXED_WORD.sub(lambda word: word[0].translate(_LATIN), plain)
    apart = "".join(_SELECTOR.findall(text))  # one a letter
    hidden = _of_selectors(apart) if len(apart) >= _MESSAGE else ""
    readings = dict.fromkeys((plain, latin, decoded, hidden))
    return any(_matches(_SPACES.sub(" ", each).casefold()) for each in readings if each)


def _matches(text: str) -> bool:
    return any(rule.search(text) for rule in (_AT_WORDS, *_ELSEWHERE))


def _of_selectors(selectors: str) -> str:
    """Return the text whose bytes are written as variation selectors, as some tools hide it behind an emoji."""
    codes = (ord(char) - 0xFE00 if char < "\ufe10" else ord(char) - 0xE0100 + 16 for char in selectors)
    return " " + bytes(codes).decode("utf-8", "replace")


def _decoded(text: str) -> str:
    """Return what a run of base64 says, if it is text."""
    try:
        return base64.b64decode(text[: len(text) // 4 * 4], validate=True).decode("ascii")
    except ValueError:
        return ""


_FROM_TAGS = {0xE0000 + code: code for code in range(0x20, 0x7F)}
_MESSAGE = 8  # characters
_SELECTOR = re.compile("[\ufe00-\ufe0d\U000e0100-\U000e01ef]")
_SELECTORS = re.compile(rf"[\ufe00-\ufe0f\U000e0100-\U000e01ef]{{{_MESSAGE},}}")
_BASE64 = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{40,20000}")
# Words of letters that look alike in two alphabets: no language mixes Latin with Cyrillic or Greek in one word.
_MIXED_WORD = re.compile(r"\b(?=\w{0,40}[a-zA-Z])(?=\w{0,40}[\u0370-\u04ff\u0500-\u052f])\w{2,41}")
_LATIN = str.maketrans(
    "аеорсхуіјѕԁһԛԝкмтвнАЕОРСХУІЈЅКМТВНоαορτυνικΑΕΟΡΤΥΝΙΚ", "aeopcxyijsdhqwkmtbhAEOPCXYIJSKMTBHoaoptuvikAEOPTYNIK"
)
