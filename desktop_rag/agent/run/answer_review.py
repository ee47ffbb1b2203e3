"""Asks the model about its own answer: whether the cited lines say its statements, and to repair those that fail.

Each costs one request at most; neither is made where a limit is reached or no language model answers.
"""

from collections.abc import Generator

from desktop_rag.agent.events import AgentEvent, AnswerDelta, AnswerRestarted, Remark, Thought
from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.run.citation_repair import failed_statements, is_improvement, repair_prompt, repaired_text
from desktop_rag.agent.run.second_look import MOST_TOKENS, look_request, read_judgments, statements_of
from desktop_rag.agent.run.step import StepRunner
from desktop_rag.agent.toolkits.toolkit import Task
from desktop_rag.errors import ModelError
from desktop_rag.llm.chat import UserMessage
from desktop_rag.text.display import plural


def look_again(steps: StepRunner, task: Task) -> Generator[AgentEvent]:
    """Let the model compare the statements of its answer with the lines they cite."""
    stream, model = steps.stream, task.model
    statements = statements_of(stream.text, stream.claims, stream.citations)
    if not statements or not _may_ask(steps, task):
        return
    instructions = load_prompt("second-look")
    room = steps.context.limit - steps.context.answer_tokens - model.count_tokens(instructions)
    request, asked = look_request(statements, steps.tools.lines_read, min(room, MOST_TOKENS), model.count_tokens)
    if not asked:
        return
    try:
        reply = yield from steps.ask_apart(instructions, request)
    except ModelError as error:
        yield Thought(steps.budget.step, str(error))
        reply = ""
    judgments = read_judgments(reply, asked)
    stream.judge(judgments)
    what = f"{plural(len(asked), 'statement')} compared by the model."
    if len(judgments) < len(asked):
        what = f"{len(judgments):,} of {plural(len(asked), 'statement')} compared by the model."
    yield Remark(steps.budget.step, "check", what)


def repair_statements(steps: StepRunner, task: Task) -> Generator[AgentEvent]:
    """Ask the model once to repair its failed statements; keep the first answer unless the second is better."""
    first = steps.stream
    failures = failed_statements(first) if steps.tools.lines_read.contents() else ()
    if not failures or not _may_ask(steps, task):
        return
    what = f"{plural(len(failures), 'statement')} without support or source: asked again."
    yield Remark(steps.budget.step, "check", what)
    steps.context.add(UserMessage(repair_prompt(first, failures), aside=True))
    steps.stream = steps.new_stream()
    try:
        yield from steps.begin_step()
        yield from steps.ask_quietly()
        second = steps.stream
        second.judge(first.judgments)
        second.replace(repaired_text(first, failures, second.raw))
        if is_improvement(second, first):
            first = second
            yield AnswerRestarted(steps.budget.step)
            yield AnswerDelta(first.text)
    except ModelError as error:
        yield Thought(steps.budget.step, str(error))
    finally:
        steps.stream = first


def _may_ask(steps: StepRunner, task: Task) -> bool:
    return not (isinstance(task.model, BuiltInModel) or steps.limit() or steps.budget.over())
