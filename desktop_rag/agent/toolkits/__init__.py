"""Toolkits: the systems a run can work as. Each defines its tools, its prompt, its limits and its pre-step.

Begin with `toolkit.Toolkit`; `full` is the default, `auto` routes each question to a cheaper or a thorough one
(`routing`, `route_rules`). `pre_steps` run before the model searches freely; `coverage_first` is the one of `full`.

To add a toolkit:

1. Write one module with a function that returns a `Toolkit`, such as `logical_rag.logical_rag`. New tools implement
   `agent.tools.tool.Tool`; a new prompt is `resources/prompts/NAME.md`. An ablation is a `replace(…)` of a toolkit.
2. Add one entry to `registry._MAKERS`, and to `registry.OFFERED` if users are to choose it in the window.
3. Describe it in a row of `docs/toolkits.md` and script a run in the tests' `transcripts.py`; tests demand both.

The loop must not know any toolkit by name.
"""
