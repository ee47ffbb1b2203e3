"""The requests of the conversation's views to the window: one object, created by the pane and handed down."""

from enum import Enum

from PySide6.QtCore import QObject, Signal

from desktop_rag.agent.events import Source
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.retrieval.api import Filter


class RunAction(Enum):
    """An action on a finished run."""

    CONTINUE = "continue where it ended"
    FORK = "ask again from a step"
    REPLAY = "search again without the model"
    COMPARE = "compare with another run"


class ConversationRequests(QObject):
    """Signals that any view of the conversation may emit; `viewer` takes those about documents."""

    question_asked = Signal(str)  # run this question: an example was chosen, or an earlier question is asked again
    filter_dropped = Signal(str, Filter)  # run this question again without the filter the agent read into it
    whole_library_requested = Signal(str)  # run this question again without the scope of the conversation
    source_feedback = Signal(Source, str)  # feedback on a source of the current run: a PassageFeedbackKind
    action_requested = Signal(int, RunAction)  # do this with the finished run of the turn with this number
    fork_requested = Signal(int, int)  # ask again, in the turn with this number, from this step
    settings_requested = Signal()  # open the settings, for instance to correct the endpoint
    folder_requested = Signal()  # add a folder

    def __init__(self, viewer: ViewerRequests, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.viewer = viewer
