import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines
from desktop_rag.agent.events import ClaimFault

REPORT = """馆长是沈若兰，副馆长是顾明远。
图书馆周一不开放，周二至周日上午九点开门。
读者比2022年增加了9.5%，借阅量同期下降了3%。
部分读者通过手机预约座位。
借书不超过十本；逾期未还的，暂停借阅。
新阅览室于2023年6月18日启用，工程由东岭建筑公司承建。
电费在下调之后低于去年，水费则没有变化。
食堂的承包人为王建国，每年支付租金。
理事会没有批准扩建方案，但同意更换照明。
少儿借书证需要家长签字。"""


def faults(claim: str, question: str = "", text: str = REPORT) -> tuple[ClaimFault, ...]:
    lines = CitedLines(dict(enumerate(text.split("\n"), 1)))
    return check_claim(claim, [lines], question).faults


@pytest.mark.parametrize(
    "claim",
    [
        "馆长是沈若兰。",
        "副馆长由顾明远担任。",
        "图书馆周一不开放。",
        "图书馆周一闭馆。",
        "读者比2022年增加了9.5%。",
        "读者比2022年增长了9.5%，而借阅量下降了3%。",
        "部分读者用手机预约座位。",
        "借书最多十本，逾期未还的暂停借阅。",
        "新阅览室于2023年6月18日启用。",
        "新阅览室由东岭建筑公司承建，2023年6月18日开始使用。",
        "水费没有变化。",
        "水费未变化。",
        "承包人是王建国，他每年支付租金。",
        "理事会没有批准扩建方案。",
        "理事会否决了扩建方案。",
        "理事会同意更换照明。",
        "少儿借书证必须有家长签字。",
        "图书馆不仅周二开门，周日也开门。",
        "根据文件，电费低于去年。",
        "新阅览室启用的时间是周日，地点是高楼。",
    ],
)
def test_what_chinese_lines_say_is_supported(claim: str) -> None:
    assert faults(claim) == ()


@pytest.mark.parametrize(
    ("claim", "kind", "word"),
    [
        ("馆长是欧阳慧敏。", "name", "欧阳慧敏"),
        ("馆长是顾明远。", "name", "顾明远"),
        ("承包人为李大伟。", "name", "李大伟"),
        ("馆长是高建军。", "name", "高建军"),
        ("图书馆周一开放。", "negation", "图书馆周一开放"),
        ("读者比2022年减少了9.5%。", "direction", "减少"),
        ("借阅量同期上升了3%。", "direction", "上升"),
        ("电费在下调之前低于去年。", "direction", "之前"),
        ("电费在下调之后高于去年。", "direction", "高于"),
        ("水费则有变化。", "negation", "水费则有变化"),
        ("所有读者通过手机预约座位。", "extent", "所有"),
        ("理事会批准扩建方案。", "negation", "理事会批准扩建方案"),
        ("理事会不同意更换照明。", "negation", "不"),
        ("少儿借书证不需要家长签字。", "negation", "不"),
    ],
)
def test_what_chinese_lines_contradict_is_doubted(claim: str, kind: str, word: str) -> None:
    assert [(fault.kind, fault.text) for fault in faults(claim)] == [(kind, word)]


def test_a_chinese_name_may_be_in_the_question() -> None:
    assert faults("赵敏的少儿借书证需要家长签字。", "赵敏的借书证需要什么？") == ()


def test_chinese_and_english_are_not_compared_by_characters() -> None:
    assert faults("图书馆周一开放。", text="The library is open on Mondays.") == ()
    assert faults("図書館は月曜日に開いています。", text="図書館は月曜日に開いていません。") == ()
