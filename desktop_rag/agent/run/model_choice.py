"""Choice of the chat model: the endpoint of a profile, or the built-in model."""

from desktop_rag.llm.chat import ChatModel
from desktop_rag.paths import endpoints_file
from desktop_rag.settings import Profile


def chat_model(profile: Profile | None, key: str) -> ChatModel:
    """Return the model of `profile`, or the built-in extractive one without a profile."""
    if profile is None:
        from desktop_rag.agent.extractive.extractive_model import ExtractiveModel

        return ExtractiveModel()
    from desktop_rag.llm.endpoint_traits import EndpointMemory
    from desktop_rag.llm.openai_chat import OpenAIChat

    return OpenAIChat(profile, key, memory=EndpointMemory(endpoints_file()))


def fast_model(profile: Profile | None, key: str) -> ChatModel | None:
    """Return the cheaper model of the same endpoint, None if the profile names none."""
    fast = profile.fast() if profile else None
    return chat_model(fast, key) if fast else None
