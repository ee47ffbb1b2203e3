"""Tables over documents in the window: `table_page` shows them, `table_control` makes, fills and exports them.

`table_model` has the rows as they are looked at; `table_dialogs` ask for documents, questions and the budget.
"""
