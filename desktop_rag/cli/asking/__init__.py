"""`desktop-rag ask`: one question (`ask_command`) or a conversation (`ask_session`), printed by the `narrator`.

`question_attachments` makes files searchable while a question is answered.
"""
