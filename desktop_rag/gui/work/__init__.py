"""Tables and reports in the window: `table_page` and `report_page` show them, their controls make, fill and export.

`work_control` is what the controls have in common. `table_model` has the rows as they are looked at, `report_sections`
shows a section of a report; `table_dialogs` and `report_dialogs` ask for documents, questions, outlines and budgets.
"""
