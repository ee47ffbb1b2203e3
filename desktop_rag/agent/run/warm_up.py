"""Has a model on this computer read the instructions while the window opens: the first question need not wait for it.

The request has nothing of the user or the library. A remote server is sent nothing, and a model file is not loaded.
"""

from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.toolkits.toolkit import Toolkit
from desktop_rag.llm.chat import ChatRequest, Message, SystemMessage, ToolSpec, ToolUse, UserMessage
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.prompted_tools import in_words
from desktop_rag.llm.transport import is_loopback
from desktop_rag.paths import endpoints_file
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop


def warm_up(profile: Profile, key: str, toolkit: Toolkit, stop: Stop) -> None:
    """Send what the first requests of a run with this toolkit begin with; raises `Stopped` alone."""
    if profile.model_file or not is_loopback(profile.base_url):
        return
    model = OpenAIChat(profile, key, memory=EndpointMemory(endpoints_file()))
    model.ask_size(stop)
    way = model.tool_use()
    messages: tuple[Message, ...] = (UserMessage("."),)
    tools: tuple[ToolSpec, ...] = ()
    if toolkit.takes_short_path(model.context_window, way):
        messages = SystemMessage(load_prompt("short")), *messages
    elif way is ToolUse.PROMPTED:
        slim = toolkit.slimmed()
        messages = in_words((SystemMessage(slim.prompt), *messages), slim.specs())
    else:
        messages, tools = (SystemMessage(toolkit.prompt), *messages), toolkit.specs()
    model.read_ahead(ChatRequest(messages, tools, 1), stop)
