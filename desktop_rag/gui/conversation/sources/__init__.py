"""The sources: the cited files under an answer, the chips of a step, and whether cited files have changed.

`sources_list` with `sources_model` lists and paints citations by document and the operands of sums, `source_chips` the
sources a tool returned. `source_status` checks cited files in the background. `citation_cards` shows the
`citation_card` of a citation, with the passage that it reads.
"""
