"""Profiles of languages that share an alphabet: their most common short words and additional letters.

A language with a script of its own needs no profile, see `language_detection`.
"""

from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class LanguageProfile:
    """A language recognised by its words; `letters` are those beyond a–z (or the common Cyrillic letters)."""

    words: frozenset[str]
    letters: frozenset[str]


WITHOUT_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})  # as German is typed on other keyboards


def _tongue(words: str, letters: str = "") -> LanguageProfile:
    return LanguageProfile(
        frozenset(words.split()),
        # “ß” and the Turkish “ı” have ordinary letters for capitals.
        frozenset(
            each for letter in letters.replace(" ", "") for each in letter + letter.upper() if not each.isascii()
        ),
    )


LATIN = MappingProxyType(
    {
        "en": _tongue(
            "the of and to in is that it was for on are with as be at by this from or an have not which you has were "
            "their they we will can if all been would there but your one more when who its should must any may he she"
        ),
        "de": _tongue(
            "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er "
            "hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor "
            "zur bis mehr durch kann sein wurde wenn diese dieser muss bitte ihre keine fuer ueber wer wann welche "
            "welcher welches warum gibt wieviel",
            "äöüß",
        ),
        "fr": _tongue(
            "de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il sont avec son aux "
            "ou été cette mais comme nous vous être fait ont ses leur deux leurs aussi votre peut doit veuillez elle "
            "ces si sans tout très bien",
            "àâæçéèêëîïôœùûüÿ",
        ),
        "es": _tongue(
            "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin "
            "sobre este ya entre cuando todo esta ser son también fue había muy hasta desde está nos debe puede usted "
            "ningún han esto",
            "áéíñóúü",
        ),
        "pt": _tongue(
            "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou "
            "quando muito nos já eu também só pelo pela até isso ela entre depois sem mesmo aos seus são foi está você "
            "pode deve num nem suas",
            "àáâãçéêíóôõú",
        ),
        "it": _tongue(
            "di che e la il un a per in una è non sono da del si con le i come della al dei ha gli nel alla più anche "
            "o ma lo su dal questo se delle essere nella stato ci deve può questa quando quello tutti sua loro degli "
            "devono",
            "àèéìíîòóù",
        ),
        "nl": _tongue(
            "de het een en van in is dat dit op te zijn met voor niet die aan er om ook als dan maar bij door uit naar "
            "wordt "
            "over heeft nog kan deze tot worden was of meer hun je geen werd zich moet hebben u uw we ik wel al zo",
            "éëïóöüè",
        ),
        "sv": _tongue(
            "och i att det som en på är av för med den till inte om ett har de från var vid men så kan när du eller "
            "sig "
            "ut ska måste alla vara denna detta inga efter under över där hade han jag vi bara också mycket",
            "åäöé",
        ),
        "da": _tongue(
            "og i at det er en til af på for med der de den ikke som har et fra kan om var skal eller vil ved men også "
            "efter blev have sig bliver dette denne være når du ud så hvis mere over ingen jeg disse hvor mod alle "
            "blive deres nogle bør hinanden",
            "æøåé",
        ),
        "no": _tongue(
            "og i å er det en på til som av for med at ikke den har de fra et kan om var men skal eller seg vil ved "
            "etter ble ut når så være du dette denne også hvis mer noen alle ingen jeg disse hvor mot blir må vært "
            "ein ikkje eit frå vere dei ei",
            "æøåé",
        ),
        "fi": _tongue(
            "ja on ei että se oli hän mutta joka kuin ovat myös tai kun niin ole jos voi sen tämä mukaan ovat vain jo "
            "olla sekä ollut jonka kanssa mitä siitä jälkeen sitten tämän nyt vielä kaikki joita eivät koska tulee "
            "ettei "
            "oikein valitse",
            "äöå",
        ),
        "is": _tongue(
            "og að í á er sem það við um til af en var með fyrir ekki hann því eru þetta hefur frá eða svo þegar "
            "verður "
            "þú þessi vera má hafa upp eftir yfir hún þau",
            "áðéíóúýþæö",
        ),
        "pl": _tongue(
            "i w na z się do nie jest że to o jak po przez od dla ale są za oraz co był tego lub już tym może jego być "
            "ich tylko ze która które który być musi ma pod przed gdy także przy jej bardzo więcej tej",
            "ąćęłńóśźż",
        ),
        "cs": _tongue(
            "a se v na je že s z do o i to k ve pro za by ale si po jako jsou které od nebo tak jeho být při až bylo "
            "který už jen byl když podle tento musí není která než co aby jsme také pouze pokud tuto nebyl prosím",
            "áčďéěíňóřšťúůýž",
        ),
        "sk": _tongue(
            "a v sa na je že s z do o i to k vo pre za by ale si po ako sú ktoré od alebo tak jeho byť pri až bolo "
            "ktorý "
            "už len bol keď podľa tento musí nie ktorá než čo aby sme tiež iba ak túto nebol prosím neexistuje",
            "áäčďéíĺľňóôŕšťúýž",
        ),
        "sl": _tongue(
            "in je v na se za da so z ki ne s pa o po kot tudi ali bi ni od pri do ko bo lahko še iz to kar vse samo "
            "ter "
            "če mora ima niso te ta med vnesite prosimo biti zaradi katere",
            "čšž",
        ),
        "hr": _tongue(
            "i u je na se za da su od s ne o što kao ili koji ali a iz po do nije ima sa koje bi to može samo biti ako "
            "ovaj te koja mora već ova molimo bio prema nakon sve nisu će jer",
            "čćđšž",
        ),
        "hu": _tongue(
            "a az és hogy nem is egy ez van csak meg de volt már el ha vagy mint még ki lehet azt volna kell ezt nincs "
            "minden be több fel azonban után pedig amely aki majd között kérjük nélkül való sem mert lett",
            "áéíóöőúüű",
        ),
        "ro": _tongue(
            "și în a de la cu nu pe o că să este un se care din mai pentru au fost sunt ca sau prin dar ce al ai după "
            "fi aceasta acest lui trebuie doar unei unui fără între pot nici vă dumneavoastră şi s-a",
            "ăâîșțşţ",
        ),
        "tr": _tongue(
            "ve bir bu da de için ile çok olarak daha olan en gibi kadar ne sonra var ama o ya değil mi ise olduğunu "
            "veya her içinde şey göre tarafından hiç yok lütfen olmalıdır değer",
            "çğıöşüâî",
        ),
        "lt": _tongue(
            "ir į yra kad su iš tai ne kaip o bet buvo ar už po nuo jis jau dėl iki tik per apie arba ši šis gali "
            "turi būti kai dar nėra prašome nebuvo savo kurie kuris pagal",
            "ąčęėįšųūž",
        ),
        "lv": _tongue(
            "un ir ar no uz par ka lai vai kas kā tas nav bet to pie tikai pēc šo tiek gan var būt jau šis līdz kad "
            "jābūt ievadiet lūdzu nevar tika viņš bija arī savu kuru",
            "āčēģīķļņšūž",
        ),
        "et": _tongue(
            "ja on ei et see oli ka kui aga või mis ta siis oma nii ning veel seda välja selle ole kes võib olla peab "
            "pole palun juba kas ainult üle need mida enne pärast üks antud",
            "äöõüšž",
        ),
        "vi": _tongue(
            "và của là không có trong cho được các một với người để này đã những khi từ như đến về ra tại vào bạn phải "
            "hoặc nhập hãy đó sẽ thì cũng",
            "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
        ),
        "id": _tongue(
            "yang dan di dengan untuk pada adalah ini dari dalam tidak itu akan oleh atau juga telah sebagai karena "
            "ke ada dapat mereka tersebut anda harus saya kami lebih bisa sudah seperti saat hanya hingga silakan "
            "berhasil bahwa kata nama bagi sebuah nilai beberapa masukkan lain setiap apakah secara semua satu sama "
            "mempunyai"
        ),
        "ms": _tongue(
            "yang dan di dengan untuk pada adalah ini dari dalam tidak itu akan oleh atau juga telah sebagai kerana "
            "ke ada boleh mereka tersebut anda perlu saya kami lebih sudah seperti hanya sila mesti tiada sahaja nilai "
            "bahawa telah kata nama bagi sebuah beberapa lain setiap adakah secara semua satu sama masukkan berjaya"
        ),
        "tl": _tongue(
            "ang ng sa na mga at ay hindi ito siya nang para si kung ko may niya ni o pero mo isang kanyang po"
        ),
        "sw": _tongue("na ya wa kwa ni za la katika hii hiyo kama cha si au lakini hilo ili pia kuwa watu huyo bila"),
        "ca": _tongue(
            "de la i el que a en els les un una del per és amb no al es l'any dels va com més són o pel també aquest "
            "aquesta ser seva ha han si sense però cal heu hi aquests tots",
            "àçéèíïóòúü",
        ),
        "gl": _tongue(
            "de a e o que do da en un os para con unha as non se por no na dos máis como ao súa foi das ou é seu este "
            "esta pode debe ten ser pero tamén nun nunha son ó polo pola",
            "áéíñóúü",
        ),
        "eu": _tongue(
            "eta da ez du bat ere dira izan zen den dute baina hau egin duen edo dituzte behar daude hori beste"
        ),
        "sq": _tongue(
            "dhe në të e i një që me për nga është u nuk më ka si do jenë kjo ky por janë ose duhet duke kjo", "çë"
        ),
        "af": _tongue(
            "die van en in is het dat n nie vir op te met aan was sal om by word wat hy as hulle kan deur ons", "êëôöû"
        ),
        "cy": _tongue(
            "yn y a i o ar yr mae am oedd wedi bod gan ei ac ond eu fod hon hwn chi nad rhaid gyda neu", "âêîôûŵŷ"
        ),
        "ga": _tongue(
            "an na a agus ar i is go sé le do bhí ag tá de ní sa ach gur nach chun seo sin mar leis", "áéíóú"
        ),
        "eo": _tongue(
            "la de kaj en estas al ne por kun ke el tio ĝi pri aŭ kiu sed de oni estis li tiu devas vi", "ĉĝĥĵŝŭ"
        ),
        "la": _tongue(
            "et in est non ad ut cum qui quod sed si ex quae per hoc aut esse sunt ab enim eius autem atque nec"
        ),
    }
)
CYRILLIC = MappingProxyType(
    {
        "ru": _tongue(
            "и в не на что с по это как к из у за от для но о все так же вы или его при был если только мы быть они "
            "было до есть который чтобы уже также может будет после были этот этого она он",
            "ёыэъ",
        ),
        "uk": _tongue(
            "і в не на що з та до у це як за від для але про або був його при якщо є ви він також може бути який які "
            "так вже були цей після має лише під ми вона",
            "іїєґ",
        ),
        "be": _tongue(
            "і ў не на што з да у гэта як за ад для але пра або быў яго пры калі ёсць вы ён таксама можа які", "іўё ыэ"
        ),
        "bg": _tongue(
            "и на в да се не от за е с по че са до като при но или който която това бъде ще има след както само трябва "
            "може през които няма вие моля",
            "ъ",
        ),
        "sr": _tongue(
            "и у је на се за да су од са не о што као или који али а из по до није има које може само бити ако",
            "ђјљњћџ",
        ),
        "mk": _tongue(
            "и во на се да за не од е со што како или ова ќе по при но кои која има само треба може беше сте", "ѓѕјљњќџ"
        ),
        "kk": _tongue("және бұл мен бір үшін да де болып емес бар деп оның ол қажет керек немесе", "әғқңөұүһіёыэъ"),
        "mn": _tongue("нь ба энэ байна бол юм та тул дээр болон гэж байх биш бөгөөд ямар", "өүёыэъ"),
    }
)
ARABIC = MappingProxyType(
    {
        "ar": _tongue("في من على أن إلى التي عن لا ما هذا هذه هو مع كان الذي أو لم بعد كل بين وقد غير قد ذلك هي كما"),
        "fa": _tongue(
            "و در به از که این را با است برای آن یک خود تا بر هم نیز شده باید یا می بود شود اما کرد", "پچژگکی"
        ),
        "ur": _tongue("کے کی میں کا اور سے ہے کو نے پر کہ یہ ہیں اس بھی نہیں ایک تھا لیے جو کر گیا ہو", "ٹڈڑںےہ"),
        "ckb": _tongue("لە بە و بۆ ئەم کە لەگەڵ یان دەبێت نییە هەر", "ێۆەڵڕڤپچژگکی"),
    }
)
DEVANAGARI = MappingProxyType(
    {
        "hi": _tongue("के में है की और से का को पर यह कि हैं एक नहीं भी लिए इस था कर तो या गया"),
        "mr": _tongue("आहे आणि या व हे की नाही च्या असे ते मध्ये होते साठी एक हा केले आहेत आपण"),
        "ne": _tongue("छ र को मा लाई गर्न यो हुन्छ भएको पनि गर्नुहोस् छैन छन् तथा का एक"),
    }
)
# Normally recognised by script; these words are used only where the script is ambiguous.
GREEK = MappingProxyType(
    {
        "el": _tongue(
            "και το να του η της με που την από για είναι τα σε ο οι στο θα τη των δεν στην τον ότι ένα μια ή τις "
            "στη αυτό "
            "αν ως έχει τους πρέπει μπορεί ήταν",
            "άέήίόύώϊϋΐΰ",
        )
    }
)
HEBREW = MappingProxyType(
    {
        "he": _tongue(
            "של את על לא זה הוא עם גם אל היא כי או אם יש כל אין זו הם לפי ידי עד יותר היה אך בין אחד אני שלא שם"
        )
    }
)
EVERY = MappingProxyType({**LATIN, **CYRILLIC, **ARABIC, **DEVANAGARI, **GREEK, **HEBREW})
