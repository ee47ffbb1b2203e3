"""The question field (`composer`) with its buttons (`composer_buttons`) and scope (`scope_row`), and the token meter.

`question_field` is the field itself. At an @, `scope_control` looks up the choices (`scope_choices`) of `scope_picker`.
`token_meter` is the bar, `meter_legend` the table it opens; `reserve_slider` paints the parts and the mark of both, and
chooses how many tokens are kept for the answer.
"""
