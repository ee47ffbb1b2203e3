import os
from datetime import date, datetime

import pytest

from desktop_rag.index.records import Content, ContentId, FilePlace, FolderId
from desktop_rag.retrieval.query.own_dates import own_date_ns

SAVED = datetime(2025, 6, 1, 12)


def dated(name: str, title: str = "", created: str = "") -> date:
    content = Content(ContentId(1), b"", "pdf", title, "", created, "", "en", 1, 1, 0, partial="")
    place = FilePlace(FolderId(1), os.fsencode(f"/home/2019-01-01/{name}"), 1, int(SAVED.timestamp()) * 10**9)
    return datetime.fromtimestamp(own_date_ns(content, place) / 1e9).date()


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2023-04-17_minutes.pdf", "2023-04-17"),
        ("20230417 Minutes.docx", "2023-04-17"),
        ("minutes_17.04.2023.pdf", "2023-04-17"),
        ("03.04.2023.pdf", "2023-04-03"),  # between points the day stands first
        ("13-04-2023.pdf", "2023-04-13"),
        ("Protokoll vom 3. März 2022.odt", "2022-03-03"),
        ("IMG_20210605_113000.jpg", "2021-06-05"),
        ("WhatsApp Image 2022-11-05 at 10.12.13.jpeg", "2022-11-05"),
        ("会议纪要2023年4月17日.docx", "2023-04-17"),
        ("April 2023 report.pdf", "2023-04-01"),
        ("2023-04-17 and again 17.04.2023.txt", "2023-04-17"),
    ],
)
def test_the_date_in_a_file_name_is_the_documents(name: str, day: str) -> None:
    assert dated(name) == date.fromisoformat(day)


@pytest.mark.parametrize(
    "name",
    [
        "invoice-03-04-2023.pdf",  # 3 April or 4 March
        "report_2023.pdf",
        "2023-01-01_2023-03-31.csv",
        "17.4.23 note.txt",
        "v2023.1.1 release.txt",
        "2023-13-45.txt",
        "order 20012345.pdf",
        "photo.jpg",
        "2023-02-30.txt",
    ],
)
def test_without_one_certain_date_that_of_the_file_counts(name: str) -> None:
    assert dated(name) == SAVED.date()


@pytest.mark.parametrize(
    ("title", "day"),
    [
        ("Minutes of 17 April 2023", "2023-04-17"),
        ("Supply contract – version 2 (signed on 24 January 2025)", "2025-01-24"),
        ("Mietvertrag vom 3. Mai 2019", "2019-05-03"),
        ("Protokoll der Sitzung vom 6. Mai 2021", "2021-05-06"),
        ("The attacks of 11 September 2001", "2025-06-01"),  # about that day, not of it
        ("Annual report 2022", "2025-06-01"),
        ("Report of April 2022", "2025-06-01"),
    ],
)
def test_the_date_in_a_title_counts_if_its_kind_has_one(title: str, day: str) -> None:
    assert dated("scan.pdf", title) == date.fromisoformat(day)


def test_a_real_date_comes_before_that_in_the_name() -> None:
    assert dated("2023-04-17.pdf", "Minutes of 18 April 2023", "2020-02-03") == date(2020, 2, 3)
    assert dated("2023-04-17.pdf", "Minutes of 18 April 2023") == date(2023, 4, 17)
    assert dated("2023-04-17.pdf", created="no date") == date(2023, 4, 17)


def test_a_name_that_is_no_text_has_no_date() -> None:
    assert dated(os.fsdecode(b"\xff\xfe2023")) == SAVED.date()
    assert dated("") == SAVED.date()
