"""Greetings, thanks and other messages that ask nothing of the documents."""

import re

_SMALL_TALK = re.compile(
    r"(?:(?:hi|hello|hey|good (?:morning|afternoon|evening|night)|thanks?(?: you)?(?: (?:very|so) much)?|thx"
    r"|(?:good ?)?bye|see you(?: later| soon| tomorrow)?|bis (?:morgen|bald|später|dann)|gute nacht|ok(?:ay)?"
    r"|how are you(?: doing)?|how(?:['’]s| is) it going"
    r"|who are you|what (?:are you|can you do)|tell me a joke|nice|great|cool|test"
    r"|hallo|moin(?: moin)?|servus|grüß gott|你好|您好|谢谢"
    r"|guten (?:morgen|tag|abend)|danke(?: (?:schön|sehr))?|vielen dank|tschüss"
    r"|wie geht(?:'s| es dir)|wer bist du"
    r"|bonjour|salut|merci(?: beaucoup)?|au revoir|qui es-tu|hola|gracias|ciao|grazie|buongiorno)"
    r"(?:[ ,]+(?:there|you|all|everyone|dir|a lot|today|heute))?(?:[\s!.?,;:-]+|$))+",
    re.IGNORECASE,
)


def is_small_talk(text: str) -> bool:
    """Return whether a message only greets, thanks or chats, so that nothing is to be searched for."""
    return bool(_SMALL_TALK.fullmatch(" ".join(text.split())))
