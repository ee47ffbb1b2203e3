"""Question words (who, what, when …), which match texts that ask, not answers; in English also verbs that ask."""

from types import MappingProxyType

ASKING = "?？؟;"  # at the end of a question, also a Greek one
QUESTION_WORDS = MappingProxyType(
    {
        code: frozenset(words.split())
        for code, words in {
            "ar": "ما ماذا من متى أين كيف كم لماذا هل أي لمن",
            "cs": "kdo co kdy kde kam proč jak jaký jaká jaké kolik který která které čí",
            "da": "hvem hvad hvornår hvor hvorfor hvordan hvilken hvilket hvilke hvis",
            "de": "wer wen wem wessen was wann wo woher wohin worin warum wieso weshalb wie wieviel wieviele viele "
            "welche welcher welches welchen welchem",
            "el": "ποιος ποια ποιο ποιοι ποιες ποιον ποιων τι πότε πού γιατί πώς πόσο πόσα πόσοι πόσες",
            "en": "who whom whose what when where why how which is are was were do does did has have can will",
            "es": "quién quiénes qué cuál cuáles cuándo dónde adónde cómo cuánto cuánta cuántos cuántas",
            "fi": "kuka ketä kenen mikä mitä minkä milloin missä mistä mihin miksi miten kuinka moni paljon",
            "fr": "qui que quoi quel quelle quels quelles quand où pourquoi comment combien",
            "hi": "कौन किस किसने किसे किसका क्या कब कहाँ कहां क्यों कैसे कितना कितने कितनी कौनसा",
            "hu": "ki kit kinek mi mit mikor hol hova honnan miért hogyan mennyi hány melyik milyen",
            "id": "siapa apa kapan mana dimana mengapa bagaimana berapa",
            "it": "chi che cosa quale quali quando dove perché come quanto quanta quanti quante",
            "nl": "wie wat wanneer waar waarom hoe hoeveel welk welke wiens",
            "no": "hvem hva når hvor hvorfor hvordan hvilken hvilket hvilke",
            "pl": "kto kogo komu co czego kiedy gdzie skąd dokąd dlaczego jak jaki jaka jakie ile ilu który która "
            "które czyj czy",
            "pt": "quem que qual quais quando onde aonde porque como quanto quanta quantos quantas",
            "ro": "cine ce care când unde cum câți câte cât câtă",
            "ru": "кто кого кому что чего когда где куда откуда почему зачем как какой какая какое какие сколько "
            "который чей",
            "sv": "vem vad när var varför hur vilken vilket vilka",
            "tr": "kim kimi kime kimin ne neyi nedir zaman nerede nereye nereden neden niçin nasıl kaç hangi mi mı mu "
            "mü",
        }.items()
    }
)
