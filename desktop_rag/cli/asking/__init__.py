"""`desktop-rag ask` (`ask_command`): one question or a conversation, printed by the `narrator`."""
