"""The dialog that explains why a file is found or not.

`why_control` asks the searcher (`retrieval/explain`), `why_dialog` shows the fields and `remark_list` the sentences.
"""
