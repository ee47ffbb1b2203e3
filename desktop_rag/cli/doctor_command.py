"""`desktop-rag doctor`: what an endpoint can do, and what to change on its server."""

import os
from collections.abc import Iterator
from pathlib import Path

from desktop_rag.agent.run.endpoint_trial import examine_with_sample
from desktop_rag.agent.run.model_choice import KEY_VARIABLE, chosen_profile
from desktop_rag.cli.output import FOUND, NOTHING, Output
from desktop_rag.credentials import Credentials
from desktop_rag.llm.doctor import Finding, Rating
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.llm.local_model.local_chat import FileMemory
from desktop_rag.llm.local_model.local_server import running
from desktop_rag.llm.redaction import without_credentials
from desktop_rag.paths import endpoints_file, settings_file
from desktop_rag.settings import Profile, load
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, printable

_MARKS = {Rating.GOOD: ("✓", "green"), Rating.LIMITED: ("–", "yellow"), Rating.BAD: ("✗", "red")}


def doctor(profile: str | None, output: Output, stop: Stop) -> int:
    """Print each finding as it comes; return 1 if there is no endpoint or a capability is missing."""
    chosen = chosen_profile(load(settings_file()), profile)
    if chosen is None:
        text = "The built-in model needs no examination. Add a model in the settings, or name one with --profile."
        output.error("Nothing to examine", text)
        return NOTHING
    place = chosen.model_file or without_credentials(chosen.base_url)
    output.note(f"Examining {one_line(printable(chosen.name))}: {one_line(printable(place))}")
    missing = False
    for finding in _findings(chosen, stop):
        missing |= finding.rating is Rating.BAD
        if output.as_json:
            output.value(
                {
                    "about": finding.about,
                    "rating": finding.rating.value,
                    "text": printable(finding.sentence),
                    "remedy": finding.remedy,
                }
            )
            continue
        mark, style = _MARKS[finding.rating]
        output.text((f"{mark} {finding.about}: ", style), (one_line(printable(finding.sentence)), ""))
        if finding.remedy:
            output.line(f"  {finding.remedy}", "dim")
    return NOTHING if missing else FOUND


def _findings(profile: Profile, stop: Stop) -> Iterator[Finding]:
    """Yield the findings on an endpoint, or on a model file, which is served meanwhile."""
    if profile.model_file:
        with running(Path(profile.model_file), stop, profile.context_window) as local:
            memory = FileMemory(profile, EndpointMemory(endpoints_file()))
            yield from examine_with_sample(local.profile, local.key, stop, memory)
        return
    key = os.environ.get(KEY_VARIABLE) or Credentials().get(profile.name)
    yield from examine_with_sample(profile, key, stop, EndpointMemory(endpoints_file()))
