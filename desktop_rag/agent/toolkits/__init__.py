"""Toolkits: the systems a run can work as. Each defines its tools, its prompt, its limits and its pre-step.

Begin with `toolkit.Toolkit`; `full` is the default, `auto` routes each question to a cheaper or a thorough one.
Pre-steps run before the model searches freely.

`registry` lists all. `agentic_rag`, `a_rag` and `logical_rag` are those of papers, `baselines` what they compare with.
`CONTRIBUTING.md` says how to add a toolkit. New tools implement `agent.tools.tool.Tool`;
an ablation is a `replace(…)` of a toolkit. The loop must not know any toolkit by name.
"""
