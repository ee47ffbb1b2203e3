import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.text.sentences import MAX_CHARACTERS, NEVER, PERHAPS, split_sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Smith met Mr. Jones at 5 p.m. on Main St. in Washington.", "They talked about the U.S. economy."],
        ["It grew 3.5 % in Q1.", "Version 1.2.3 is out.", "Visit example.com."],
        ['He asked "Why?" and left.', '"Because."', "(It was late.)", "The end... or not?", "Yes!", "No."],
        ["Apple Inc. was founded by S. Jobs.", "The company (see Fig. 3) is big, e.g. in Asia."],
        ["J. R. R. Tolkien wrote it.", "I live in the U.S.", "It is warm."],
        ["Am 3. Oktober 1990 wurde z. B. gefeiert.", "Die Miete beträgt ca. 500 Euro.", "Vgl. Abs. 3 Nr. 2 BGB."],
        ["Frist: **14. Oktober 2025** für die Antwort.", "Es ist **fett.**", "Weiter."],
        ["M. Dupont est arrivé.", "Voir p. 12.", "C'est la fin…", "Mais non."],
        ["¿Qué hora es?", "Son las 3 a.m.", "El Sr. García llegó.", "¡Hola!"],
        ["1. The tenant pays.", "2. The landlord repairs.", "In 1990.", "The wall fell."],
        ["The model works.[12]", "It uses BERT (Devlin et al. 2019).", "See Sec. 4."],
    ],
)
def test_sentences_end_where_a_reader_ends_them(sentences: list[str]) -> None:
    assert split(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        [
            "Dhr. Jansen betaalt o.a. de huur, d.w.z. 500 euro.",
            "Zie art. 3 op blz. 12.",
            "Dat is alles, enz.",
            "Dit is het einde.",
        ],
        ["Hyran är ca. 500 kr per månad, t.ex. i Umeå.", "Se s. 12 nr. 3.", "Det gäller el, m.fl.", "Det är allt."],
        ["Lejen er f.eks. 500 kr.", "Den betales d. 1. marts af hr. Hansen.", "Det er bl.a. rimeligt."],
        ["Husleien er bl.a. høy.", "Den forfaller 1. mai.", "Spør dr. Nilsen, f.eks. på mandag."],
        [
            "Vuokra on esim. 500 euroa.",
            "Se maksetaan 3. tammikuuta klo 12.",
            "Lisäksi vesi, sähkö yms.",
            "Se on siinä.",
        ],
        ["Leigan er 500 kr. á mánuði.", "Hún greiðist 1. maí.", "Hvað svo?"],
        [
            "Czynsz to np. 500 zł, tj. dużo.",
            "Prof. Nowak mieszka przy ul. Długiej.",
            "Płaci za wodę itd.",
            "To jest to.",
        ],
        ["Nájem je např. 500 Kč, tj. málo.", "Platí se 3. ledna dle čl. 5 odst. 2.", "Platí Ing. Novák."],
        ["Nájomné je napr. 500 eur.", "Platí ho Ing. Kováč, t.j. nájomca.", "Hotovo."],
        ["Najemnina je npr. 500 evrov.", "Plača jo dr. Novak na str. 5.", "To je vse."],
        ["Najam je npr. 500 eura.", "Plaća ga dr. Horvat.", "To je sve."],
        ["A bérleti díj pl. 500 euró.", "Ezt dr. Nagy fizeti.", "Ez minden."],
        ["Chiria este aprox. 500 lei.", "O plătește dl. Popescu, v. art. 3.", "Asta este tot."],
        ["Kira örn. 500 liradır.", "Bunu Prof. Dr. Yılmaz öder.", "Bkz. Madde 3.", "Hepsi bu."],
        ["Nuoma yra pvz. 500 eurų.", "Ją moka dr. Petraitis.", "Tai viskas."],
        ["Īre ir, piem., 500 eiro.", "To maksā dr. Bērziņš.", "Tas ir viss."],
        ["Üür on nt. 500 eurot.", "Seda maksab dr. Tamm.", "See on kõik."],
        ["Sewa adalah Rp. 500 ribu.", "Lihat hlm. 12.", "Pembayaran oleh Dr. Budi.", "Itu saja."],
        ["El Sr. García paga aprox. 500 euros.", "Véase pág. 12, núm. 3.", "¿Y después?", "Nada."],
        ["O Sr. Silva paga aprox. 500 euros.", "Ver art. 3, pág. 12.", "E depois?"],
        ["Il Sig. Rossi paga ca. 500 euro.", "Vedi art. 3, pag. 12.", "E poi?"],
        ["El Sr. Puig paga 500 euros.", "Vegeu pàg. 12.", "I després?"],
        ["Аренда стоит, т.е. сейчас, 500 руб. в месяц.", "См. стр. 12.", "Живёт на ул. Ленина, д. 5.", "Это всё."],
        ["Оренда коштує, напр. 500 грн.", "Див. ст. 3.", "Мешкає на вул. Шевченка.", "Це все."],
        ["Наемът е напр. 500 лв.", "Живее на ул. Раковски.", "Това е всичко."],
        ["Το ενοίκιο είναι π.χ. 500 ευρώ.", "Πότε πληρώνεται;", "Ο κ. Παπαδόπουλος ξέρει.", "Αυτό είναι όλο."],
        ["השכירות היא 500 שקל.", "מתי משלמים?", "בסוף החודש."],
        ["الإيجار 500 يورو.", "متى يدفع؟", "في آخر الشهر."],
        ["کرایہ پانچ سو ہے۔", "کب دینا ہے؟", "مہینے کے آخر میں۔"],
        ["اجاره ۵۰۰ یورو است.", "چه زمانی؟", "آخر ماه."],
        ["किराया पाँच सौ है।", "डॉ. शर्मा देते हैं।", "कब देना है?"],
        ["ভাড়া পাঁচশ টাকা।", "কখন দিতে হবে?", "মাসের শেষে।"],
        ["Վարձը 500 դրամ է։", "Ե՞րբ վճարել։"],
        ["ኪራዩ አምስት መቶ ነው።", "መቼ ይከፈላል፧", "በወሩ መጨረሻ።"],
        ["ქირა 500 ლარია.", "როდის იხდიან?", "თვის ბოლოს."],
        ["Tiền thuê là 500 đồng.", "Khi nào trả?", "Cuối tháng, v.v."],
        ["임대료는 500원입니다.", "언제 냅니까?", "월말에 냅니다."],
    ],
)
def test_sentences_of_many_languages(sentences: list[str]) -> None:
    assert split(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["家賃は五百円です。", "いつ払いますか？", "「月末です。」と彼は言った。", "「はい。」", "終わり！"],
        ["租金是五百元。", "什么时候付?", "「月底。」", "完了！"],
        ["ថ្លៃឈ្នួលប្រាំរយ។", "បង់ពេលណា?"],
        ["အိမ်လခငါးရာ။", "ဘယ်တော့ပေးမလဲ။"],
    ],
)
def test_scripts_without_spaces_between_sentences(sentences: list[str]) -> None:
    assert split("".join(sentences)) == sentences


@pytest.mark.parametrize(
    "phrase",
    [
        "ผู้เช่าต้องชำระค่าเช่าภายในวันที่ห้าของทุกเดือนโดยไม่มีข้อยกเว้น",
        "ຜູ້ເຊົ່າຕ້ອງຈ່າຍຄ່າເຊົ່າພາຍໃນວັນທີຫ້າຂອງທຸກໆເດືອນໂດຍບໍ່ມີຂໍ້ຍົກເວັ້ນ",
    ],
)
def test_thai_and_lao_sentences_end_at_a_space_that_comes_late_enough(phrase: str) -> None:
    assert split(f"{phrase} {phrase[:10]} {phrase} 5") == [phrase, f"{phrase[:10]} {phrase} 5"]


def test_what_the_encoder_reads_letter_by_letter_is_cut_earlier() -> None:
    pieces = split("租金按月支付，" * 200)
    assert all(len(piece) <= 400 and piece.endswith("，") for piece in pieces)


def test_east_asian_sentences_need_no_space() -> None:
    assert split("今日は雨です。明日は晴れ！这是测试？好。") == ["今日は雨です。", "明日は晴れ！", "这是测试？", "好。"]


def test_arabic_and_hindi_have_their_own_signs() -> None:
    assert split("هل هذا سؤال؟ نعم. यह है। वह है।") == ["هل هذا سؤال؟", "نعم.", "यह है।", "वह है।"]


def test_a_newline_inside_a_paragraph_is_wrapping() -> None:
    assert split("This line is wrapped\nhere. And so\nis this.") == ["This line is wrapped\nhere.", "And so\nis this."]


def test_an_empty_line_ends_a_sentence() -> None:
    assert split("A title\n \nThe text") == ["A title", "The text"]


def test_a_line_that_stops_far_before_the_margin_ends_a_sentence() -> None:
    text = "A title\nThis is a long line which has been wrapped at some margin of eighty\ncharacters."
    assert split(text)[0] == "A title"


def test_a_ruler_belongs_to_the_sentence_before_it() -> None:
    assert split("A title\n\n=======\n\nText.") == ["A title\n\n=======", "Text."]


def test_a_very_long_sentence_is_cut_at_clauses() -> None:
    text = "and then the tenant said something about the landlord, " * 60
    pieces = split(text)
    assert len(pieces) > 1
    assert all(piece.endswith(",") and len(piece) <= MAX_CHARACTERS for piece in pieces)


def test_one_giant_word_is_cut_anyway() -> None:
    assert [len(piece) for piece in split("x" * 3000)] == [1200, 1200, 600]


@given(st.text("aA1.!?。… \n\t\"')(,;-“ü日", max_size=400))
def test_sentences_cover_all_that_is_not_space_in_order(text: str) -> None:
    covered = [False] * len(text)
    previous = 0
    for start, end in split_sentences(text):
        assert previous <= start < end
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
        covered[start:end] = [True] * (end - start)
        previous = end
    assert all(inside or character.isspace() for inside, character in zip(covered, text, strict=True))


@pytest.mark.parametrize("word", sorted(word for word in NEVER | PERHAPS if len(word) > 3))
def test_no_abbreviation_passes_for_a_long_word(word: str) -> None:
    for text in (f"They paid {word}. Smith for it", f"They paid {word.capitalize()}. Smith for it"):
        assert len(split_sentences(text)) == 1
