"""The question field (`composer`) with its buttons (`composer_buttons`) and scope (`scope_row`), and the token meter.

`question_field` is the field itself. At an @, `scope_control` looks up the choices (`scope_choices`) of `scope_picker`.
`token_meter` paints the bar, `meter_legend` the table it opens.
"""
