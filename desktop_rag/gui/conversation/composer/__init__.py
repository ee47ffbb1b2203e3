"""The question field (`composer`) with folders (`scope_row`), model and toolkit (`choice_button`), and the token meter.

`token_meter` paints the bar, `meter_legend` the table it opens.
"""
