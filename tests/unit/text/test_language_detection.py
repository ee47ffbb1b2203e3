import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.format_registry import read_document
from desktop_rag.text.language_detection import detect, spoken

# The first article of the Universal Declaration of Human Rights.
ARTICLE = {
    "en": "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience "
    "and should act towards one another in a spirit of brotherhood.",
    "de": "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt "
    "und sollen einander im Geist der Brüderlichkeit begegnen.",
    "fr": "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de "
    "conscience et doivent agir les uns envers les autres dans un esprit de fraternité.",
    "es": "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y "
    "conciencia, deben comportarse fraternalmente los unos con los otros.",
    "pt": "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de "
    "consciência, "
    "devem agir uns para com os outros em espírito de fraternidade.",
    "it": "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di "
    "coscienza e devono agire gli uni verso gli altri in spirito di fratellanza.",
    "nl": "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd met verstand en "
    "geweten, en behoren zich jegens elkander in een geest van broederschap te gedragen.",
    "sv": "Alla människor är födda fria och lika i värde och rättigheter. De har utrustats med förnuft och samvete och "
    "bör handla gentemot varandra i en anda av gemenskap.",
    "da": "Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft og samvittighed, "
    "og de bør handle mod hverandre i en broderskabets ånd.",
    "fi": "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja "
    "omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä.",
    "pl": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i "
    "sumieniem i powinni postępować wobec innych w duchu braterstwa.",
    "cs": "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím a mají "
    "spolu jednat v duchu bratrství.",
    "hu": "Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, ésszel és "
    "lelkiismerettel "
    "bírván, egymással szemben testvéri szellemben kell hogy viseltessenek.",
    "ro": "Toate ființele umane se nasc libere și egale în demnitate și în drepturi. Ele sunt înzestrate cu rațiune și "
    "conștiință și trebuie să se comporte unele față de altele în spiritul fraternității.",
    "tr": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve "
    "birbirlerine "
    "karşı kardeşlik zihniyeti ile hareket etmelidirler.",
    "vi": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền. Mọi con người đều được tạo hoá "
    "ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình bằng hữu.",
    "id": "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. Mereka dikaruniai akal dan "
    "hati "
    "nurani dan hendaknya bergaul satu sama lain dalam semangat persaudaraan.",
    "ru": "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и "
    "должны поступать в отношении друг друга в духе братства.",
    "uk": "Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю і "
    "повинні діяти у відношенні один до одного в дусі братерства.",
    "bg": "Всички хора се раждат свободни и равни по достойнство и права. Те са надарени с разум и съвест и следва да "
    "се отнасят помежду си в дух на братство.",
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "he": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.",
    "ar": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح "
    "الإخاء.",
    "fa": "تمام افراد بشر آزاد به دنیا می آیند و از لحاظ حیثیت و حقوق با هم برابرند. همه دارای عقل و وجدان هستند.",
    "hi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
    "th": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
    "ja": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "zh": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
}


@pytest.mark.parametrize("code", ARTICLE)
def test_a_language_is_told_by_a_few_sentences(code: str) -> None:
    assert detect(ARTICLE[code]) == code


def test_the_first_page_does_not_decide_alone() -> None:
    assert detect("Copyright notice: all rights are reserved by the author. " * 20 + ARTICLE["de"] * 100) == "de"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Kitaplarımızdan bazıları kayboldu.", "tr"),
        ("Naprawa kotła kosztowała 2400 złotych.", "pl"),
        ("Střecha byla opravena v září řemeslníkem.", "cs"),
        ("Łódź office opened Monday", ""),  # a name
        ("Pannan lagades i går kväll.", ""),  # Swedish, with letters that Finnish has, too
    ],
)
def test_a_note_without_common_words_is_told_by_its_letters(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize(
    "text", ["", "12345", "OK", "Smith John 1234 Main Street Springfield " * 20, "ls -la foo bar\n" * 40]
)
def test_what_is_no_sentence_has_no_language(text: str) -> None:
    assert detect(text) == ""


@given(st.text())
def test_any_text_has_a_language_or_none(text: str) -> None:
    assert len(detect(text)) in (0, 2, 3)


def test_a_document_has_the_language_it_is_written_in() -> None:
    assert read_document("a.txt", (ARTICLE["fr"] * 2).encode()).language == "fr"
    assert read_document("a.md", f"# Titel\n\n{ARTICLE['de']}".encode()).language == "de"


@pytest.mark.parametrize(
    ("declared", "language"),
    [
        ("fr-FR", "de"),  # the text is certainly German
        ("de-AT", "de-AT"),
        ("DE", "DE"),
        ("oc", "oc"),  # which is not among those that can be told
        ("", "de"),
    ],
)
def test_a_text_is_believed_rather_than_what_its_file_declares(declared: str, language: str) -> None:
    assert spoken(ARTICLE["de"], declared) == language


def test_without_sentences_the_declared_language_stands() -> None:
    assert spoken("4711", "fr-FR") == "fr-FR"
    page = f'<html lang="en-US"><body><p>{ARTICLE["de"]}</p></body></html>'
    assert read_document("a.html", page.encode()).language == "de"


def test_programs_and_tables_are_in_no_language() -> None:
    assert read_document("a.py", f"# {ARTICLE['en']}".encode()).language == ""
    assert read_document("a.csv", f'Text,Code\n"{ARTICLE["en"]}",en\n'.encode()).language == ""


@pytest.mark.parametrize("text", ["Sales fell in Europe but rose in Asia.", "I think I said it in India, Sir."])
def test_ordinary_capitals_are_letters_of_every_language(text: str) -> None:
    """“ß” and the Turkish “ı” have ordinary letters for capitals."""
    assert detect(text) == "en"
