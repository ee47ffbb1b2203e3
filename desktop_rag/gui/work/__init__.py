"""Tables, reports and standing questions in the window: a page shows each, its control makes, fills and exports it.

`work_control` is what the controls have in common, `sections_page` what the pages of reports and standing questions
have. `table_model` has the rows as they are looked at.
"""
