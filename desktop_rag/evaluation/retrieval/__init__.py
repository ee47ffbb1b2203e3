"""Evaluation of retrieval: test collections searched through the real engine.

Begin with `retrieval_runner.evaluate`. `passage_library` indexes a collection, `systems` are the modes and baselines,
`retrieval_page` computes, stores and reports the measures.
"""
