"""Rules for passages that give orders to a model ("prompt injection"): what is said, to whom, and in whose name.

They only warn. Nothing relies on them: what an obeying model may do is bounded by the tools, the scope and the gate.
Every repetition has a bound, so that the time grows with the length of the text alone.
"""

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
    """Return whether a passage seems to give orders to a model; hidden characters are read as a model would."""
    revealed = _TAGS.sub(lambda tags: " " + tags[0].translate(_FROM_TAGS), text)
    plain = unicodedata.normalize("NFKC", visible(revealed)).casefold().replace("’", "'")
    text = _SPACES.sub(" ", plain)
    return any(rule.search(text) for rule in (_AT_WORDS, *_ELSEWHERE))


_FROM_TAGS = {0xE0000 + code: code for code in range(0x20, 0x7F)}
