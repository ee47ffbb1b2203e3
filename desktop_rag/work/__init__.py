"""Work over documents: tables whose cells and reports whose sentences are proven by lines; without Qt.

- `columns` are the questions of a table, and what a value means by its kind: order, sum, form.
- `table` has the values, `work_store` keeps tables and reports on disk, each cell as it comes.
- `cell_notes` are the sentences about cells without a value.
- `filling` is the job that fills a table: rows in parallel, each cell one request (`cell_request`) over the lines of
  one document (`row_reading`), or what `agent.extractive.stated_cells` finds without a model.
- `model_requests` asks the user's model within their rules and limits on money.
- `report` is an outline with its written sections, their stored steps, and the marks of a text that the user has
  changed; `report_writing` is the job: a run of the agent for each section.
- `standing` is a question that is kept, `standing_check` searches what is new for it and asks what has changed.
- `table_export` writes tables as XLSX (`xlsx`), CSV, Markdown and JSON.
"""
