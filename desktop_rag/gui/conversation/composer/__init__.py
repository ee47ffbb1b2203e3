"""The question field (`composer`) with its buttons (`composer_buttons`) and folders (`scope_row`), and the token meter.

`token_meter` paints the bar, `meter_legend` the table it opens.
"""
