"""Choice of the chat model: the endpoint of a profile, or the built-in model."""

from desktop_rag.llm.chat import ChatModel
from desktop_rag.paths import endpoints_file
from desktop_rag.settings import Profile


def chat_model(profile: Profile | None, key: str, *, remembered: bool = True) -> ChatModel:
    """Return the model of `profile`, or the built-in extractive one without a profile.

    What an endpoint turns out to accept is kept for later runs if it is to be `remembered`.
    """
    if profile is None:
        from desktop_rag.agent.extractive.extractive_model import ExtractiveModel

        return ExtractiveModel()
    from desktop_rag.llm.endpoint_traits import EndpointMemory
    from desktop_rag.llm.openai_chat import OpenAIChat

    return OpenAIChat(profile, key, memory=EndpointMemory(endpoints_file()) if remembered else None)


def fast_model(profile: Profile | None, key: str) -> ChatModel | None:
    """Return the cheaper model of the same endpoint, None if the profile names none."""
    fast = profile.fast() if profile else None
    return chat_model(fast, key) if fast else None
