"""Choice of the chat model: the endpoint of a profile, or the built-in model."""

from desktop_rag.errors import SettingsError
from desktop_rag.llm.chat import ChatModel
from desktop_rag.paths import endpoints_file
from desktop_rag.settings import Profile, Settings
from desktop_rag.text.display import shorten

BUILT_IN = "built-in"
KEY_VARIABLE = "DESKTOP_RAG_API_KEY"  # for machines without a keychain


def chat_model(
    profile: Profile | None, key: str, *, remembered: bool = True, confirmed: tuple[str, ...] = ()
) -> ChatModel:
    """Return the model of `profile`, or the built-in extractive one without a profile.

    What an endpoint turns out to accept is kept for later runs if it is to be `remembered`. `confirmed` are hosts that
    the user has allowed just now, beside those in the settings file.
    """
    if profile is None:
        from desktop_rag.agent.extractive.extractive_model import ExtractiveModel

        return ExtractiveModel()
    from desktop_rag.agent.gate.guarded_chat import GuardedChat
    from desktop_rag.llm.endpoint_traits import EndpointMemory

    memory = EndpointMemory(endpoints_file()) if remembered else None
    if profile.model_file:
        from desktop_rag.llm.local_model.local_chat import LocalModelChat

        return GuardedChat(LocalModelChat(profile, memory), profile)
    from desktop_rag.llm.openai_chat import OpenAIChat

    return GuardedChat(OpenAIChat(profile, key, memory=memory), profile, confirmed=confirmed)


def fast_model(profile: Profile | None, key: str, confirmed: tuple[str, ...] = ()) -> ChatModel | None:
    """Return the cheaper model of the same endpoint, None if the profile names none."""
    fast = profile.fast() if profile else None
    return chat_model(fast, key, confirmed=confirmed) if fast else None


def chosen_profile(settings: Settings, name: str | None) -> Profile | None:
    """Return the named endpoint, None for the built-in model; without a name the one of the settings."""
    if name is None:
        return settings.profile()
    if name == BUILT_IN:
        return None
    profile = next((known for known in settings.profiles if known.name == name), None)
    if profile is None:
        names = ", ".join([BUILT_IN, *(known.name for known in settings.profiles)])
        raise SettingsError(f"There is no model called “{shorten(name)}”. Known are: {names}.")
    return profile
