"""The sources: the cited files under an answer, the chips of a step, and whether cited files have changed.

`sources_list` with `source_delegate` lists citations, `source_chips` the sources a tool returned, `source_status`
checks cited files in the background.
"""
