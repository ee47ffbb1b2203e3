import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats import source_file
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import shown, texts

_EVENT = r"""BEGIN:VEVENT
DTSTART;TZID=Europe/Vienna:20240305T143000
DTEND;TZID=Europe/Vienna:20240305T153000
RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20241231T000000Z
SUMMARY:Talk about the lease\, the
  rent
LOCATION:Office\; 2nd floor
ORGANIZER;CN="Huber, Anna":mailto:anna@example.org
ATTENDEE;CN=Bo;PARTSTAT=ACCEPTED:mailto:bo@example.org
ATTENDEE:mailto:cy@example.org
DESCRIPTION:Bring the papers.\n\nThree months.
ATTACH;ENCODING=BASE64;VALUE=BINARY;FILENAME="a,b.pdf":AAAA
BEGIN:VALARM
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
"""


def _calendar(*parts: str) -> bytes:
    return "\r\n".join(["BEGIN:VCALENDAR", "X-WR-CALNAME:Flat", *"".join(parts).splitlines(), "END:VCALENDAR"]).encode()


def _event(**fields: str) -> str:
    lines = "".join(f"{name}:{value}\n" for name, value in fields.items())
    return f"BEGIN:VEVENT\nSUMMARY:x\n{lines}END:VEVENT\n"


def test_an_event_is_a_section_with_its_fields_and_description() -> None:
    document = read_document("a.ics", _calendar(_EVENT))
    assert shown(document) == [
        ("HEADING", 1, "Talk about the lease, the rent"),
        ("FIELD", 0, "When: 2024-03-05 14:30 – 15:30 (Europe/Vienna)"),
        ("FIELD", 0, "Repeats: every 2 weeks on Monday, Wednesday until 2024-12-31"),
        ("FIELD", 0, "Where: Office; 2nd floor"),
        ("FIELD", 0, "Organizer: Huber, Anna <anna@example.org>"),
        ("FIELD", 0, "Attached: a,b.pdf"),
        ("FIELD", 0, "Attendees: Bo <bo@example.org>, cy@example.org"),
        ("PARAGRAPH", 0, "Bring the papers."),
        ("PARAGRAPH", 0, "Three months."),
    ]
    assert document.title == "Flat"
    assert [part.label for part in document.structure.sections] == ["2024-03-05 Talk about the lease, the rent"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"DTSTART;VALUE=DATE": "20240501", "DTEND;VALUE=DATE": "20240502"}, "When: 2024-05-01"),
        ({"DTSTART;VALUE=DATE": "20240501", "DTEND;VALUE=DATE": "20240504"}, "When: 2024-05-01 – 2024-05-03"),
        ({"DTSTART": "20240501T220000Z", "DURATION": "PT3H30M"}, "When: 2024-05-01 22:00 – 2024-05-02 01:30 (UTC)"),
        ({"DTSTART": "20249999T999999"}, "When: 20249999T999999"),
        ({"DTSTART": "20240501T100000", "DURATION": "P9999999999D"}, "When: 2024-05-01 10:00"),
        ({"DTSTART;VALUE=DATE": "20250106", "DURATION": "P2D"}, "When: 2025-01-06 – 2025-01-07"),
        ({"DTSTART;VALUE=DATE": "20250106", "DURATION": "P1D"}, "When: 2025-01-06"),
        (
            {"RRULE": "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;COUNT=5"},
            "Repeats: every month on the last of Monday, Tuesday, 5 times",
        ),
        (
            {"RRULE": "FREQ=MONTHLY;BYDAY=1MO,-1FR;COUNT=3"},
            "Repeats: every month on the first Monday, the last Friday, 3 times",
        ),
        ({"RRULE": "FREQ=YEARLY;BYMONTH=3,99;BYMONTHDAY=5"}, "Repeats: every year on day 5 in March"),
    ],
)
def test_dates_and_recurrences_are_readable(fields: dict[str, str], expected: str) -> None:
    assert texts("a.ics", _calendar(_event(**fields)))[1:] == [expected]


def test_tasks_and_entries_are_read_too() -> None:
    task = "BEGIN:VTODO\nDUE:20240401T120000Z\nSTATUS:NEEDS-ACTION\nPRIORITY:1\nEND:VTODO\n"
    assert texts("a.ics", _calendar(task)) == ["Task 1", "Due: 2024-04-01 12:00", "Status: needs action", "Priority: 1"]
    assert texts("a.ics", _calendar("BEGIN:VJOURNAL\nDESCRIPTION:Moved in.\nEND:VJOURNAL\n")) == [
        "Entry 1",
        "Moved in.",
    ]


def test_a_truncated_calendar_keeps_its_last_event() -> None:
    data = _calendar(_EVENT)
    assert texts("a.ics", data[: data.index(b"DESCRIPTION")])[0] == "Talk about the lease, the rent"


def test_text_up_to_a_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_file, "MAX_CHARACTERS", 100)
    document = read_document("a.ics", _calendar(_event(DTSTART="20240501") * 100))
    assert 2 < document.text.count("When:") < 10
    assert "more text than can be read" in document.partial


@pytest.mark.parametrize("data", [b"BEGIN:VCALENDAR\nEND:VCALENDAR", b"text", b"END:VEVENT"])
def test_a_calendar_without_entries_is_refused_with_the_reason(data: bytes) -> None:
    with pytest.raises(DocumentError, match="without entries"):
        read_document("a.ics", data)


_KNOWN = (
    "BEGIN:VEVENT END:VEVENT BEGIN:VALARM END:VALARM DTSTART:2024 DTSTART;TZID=:20240101 RRULE:FREQ=DAILY RRULE:;;= "
    "SUMMARY;ENCODING=QUOTED-PRINTABLE:=FF= DTEND:99991231 DURATION:P1W ATTENDEE;CN=:x"
)
_LINES = st.sampled_from([*_KNOWN.split(), " folded"])


@given(st.lists(_LINES, max_size=30).map("\n".join))
def test_any_calendar_becomes_a_sound_document_or_a_reason(text: str) -> None:
    try:
        document = read_document("a.ics", _calendar(text))
    except DocumentError:
        return
    assert document.line_count == document.text.count("\n") + 1


def test_the_days_that_an_entry_leaves_out_are_told() -> None:
    event = (
        "BEGIN:VEVENT\nSUMMARY:Check\nDTSTART:20250131T080000Z\nRRULE:FREQ=MONTHLY\n"
        "EXDATE:20250328T080000Z,20250425T080000Z\nRDATE:20250403T080000Z\nEND:VEVENT"
    )
    assert "Except: 2025-03-28 08:00, 2025-04-25 08:00" in texts("a.ics", _calendar(event))
    assert "Also: 2025-04-03 08:00" in texts("a.ics", _calendar(event))
