"""The question field (`composer`) with its buttons and scope (`scope_row`), and the token meter.

`question_field` is the field itself. `attachment_control` attaches files and, at an @, looks up the choices of
`scope_picker`. `token_meter` is the bar and the table it opens, with the slider that chooses how many tokens are kept
for the answer.
"""
