"""A conversation as JSON: questions, answers, citations and the documents they cite."""

import msgspec

from desktop_rag.gui.conversation.export.exported_conversation import ExportedConversation


def as_json(conversation: ExportedConversation) -> str:
    """Return the conversation as indented JSON; the links of an answer, `[n](cite:n)`, are the numbers of its notes."""
    return msgspec.json.format(msgspec.json.encode(conversation)).decode() + "\n"
