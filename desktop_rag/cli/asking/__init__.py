"""`desktop-rag ask`: one question (`ask_command`) or a conversation (`ask_session`), printed by the `narrator`."""
