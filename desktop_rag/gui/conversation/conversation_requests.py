"""The requests of the conversation's views to the window: one object, created by the pane and handed down."""

from enum import Enum

from PySide6.QtCore import QObject, Signal

from desktop_rag.agent.events import Source
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.retrieval.query.tree import Filter


class RunAction(Enum):
    """An action on a finished run."""

    CONTINUE = "continue where it ended"
    FORK = "ask again from a step"
    REPLAY = "search again without the model"
    COMPARE = "compare with another run"
    ANSWER_AGAIN = "answer the question again, as a variant"
    NOTE = "save it to the notes"
    QUOTE = "answer the question with the built-in passages, as a variant"
    BRANCH = "begin a new conversation with the turns up to this one"


class ConversationRequests(QObject):
    """Signals that any view of the conversation may emit; `viewer` takes those about documents.

    Turns are numbered as they are shown, from 1.
    """

    question_asked = Signal(str)  # run this question: an example was chosen
    follow_up_chosen = Signal(str, bool)  # put this question into the field, or ask it at once (True)
    edited = Signal(int, str)  # ask the turn with this number again, in these words
    variant_chosen = Signal(int, int)  # show the previous (-1) or next (1) variant of the turn with this number
    filter_dropped = Signal(int, Filter)  # ask the turn again without the filter the agent read into its question
    whole_library_requested = Signal(int)  # ask the turn again without the scope of the conversation
    source_feedback = Signal(Source, str)  # feedback on a source of the current run: a PassageFeedbackKind
    action_requested = Signal(int, RunAction)  # do this with the finished run of the turn with this number
    retry_requested = Signal()  # repeat the failed request of the run in progress without waiting any longer
    limit_decided = Signal(bool)  # raise the limit that the run in progress has reached (True), or answer now
    reserve_requested = Signal(int)  # keep so many tokens for answers
    fork_requested = Signal(int, int)  # ask again, in the turn with this number, from this step
    settings_requested = Signal()  # open the settings, for instance to correct the endpoint
    folder_requested = Signal()  # add a folder
    filter_chosen = Signal(Filter)  # show the documents that fulfil it
    files_requested = Signal(object)  # list the files in these states, a tuple; all without any
    document_chosen = Signal(object)  # open this RecentDocument

    def __init__(self, viewer: ViewerRequests, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.viewer = viewer
