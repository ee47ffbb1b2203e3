"""The names of the languages of documents, in the language of the window; Qt knows English names only."""

from PySide6.QtCore import QCoreApplication


def language_name(code: str) -> str:
    """Return German for de or de-AT; an unknown code unchanged."""
    tr = QCoreApplication.translate
    names = {
        "af": tr("Languages", "Afrikaans"), "am": tr("Languages", "Amharic"), "ar": tr("Languages", "Arabic"),
        "be": tr("Languages", "Belarusian"), "bg": tr("Languages", "Bulgarian"), "bn": tr("Languages", "Bengali"),
        "bo": tr("Languages", "Tibetan"), "ca": tr("Languages", "Catalan"),
        "ckb": tr("Languages", "Central Kurdish"), "cs": tr("Languages", "Czech"), "cy": tr("Languages", "Welsh"),
        "da": tr("Languages", "Danish"), "de": tr("Languages", "German"), "el": tr("Languages", "Greek"),
        "en": tr("Languages", "English"), "eo": tr("Languages", "Esperanto"), "es": tr("Languages", "Spanish"),
        "et": tr("Languages", "Estonian"), "eu": tr("Languages", "Basque"), "fa": tr("Languages", "Persian"),
        "fi": tr("Languages", "Finnish"), "fr": tr("Languages", "French"), "ga": tr("Languages", "Irish"),
        "gl": tr("Languages", "Galician"), "gu": tr("Languages", "Gujarati"), "he": tr("Languages", "Hebrew"),
        "hi": tr("Languages", "Hindi"), "hr": tr("Languages", "Croatian"), "hu": tr("Languages", "Hungarian"),
        "hy": tr("Languages", "Armenian"), "id": tr("Languages", "Indonesian"), "is": tr("Languages", "Icelandic"),
        "it": tr("Languages", "Italian"), "ja": tr("Languages", "Japanese"), "ka": tr("Languages", "Georgian"),
        "kk": tr("Languages", "Kazakh"), "km": tr("Languages", "Khmer"), "kn": tr("Languages", "Kannada"),
        "ko": tr("Languages", "Korean"), "la": tr("Languages", "Latin"), "lo": tr("Languages", "Lao"),
        "lt": tr("Languages", "Lithuanian"), "lv": tr("Languages", "Latvian"), "mk": tr("Languages", "Macedonian"),
        "ml": tr("Languages", "Malayalam"), "mn": tr("Languages", "Mongolian"), "mr": tr("Languages", "Marathi"),
        "ms": tr("Languages", "Malay"), "my": tr("Languages", "Burmese"), "ne": tr("Languages", "Nepali"),
        "nl": tr("Languages", "Dutch"), "no": tr("Languages", "Norwegian"), "or": tr("Languages", "Odia"),
        "pa": tr("Languages", "Punjabi"), "pl": tr("Languages", "Polish"), "pt": tr("Languages", "Portuguese"),
        "ro": tr("Languages", "Romanian"), "ru": tr("Languages", "Russian"), "si": tr("Languages", "Sinhala"),
        "sk": tr("Languages", "Slovak"), "sl": tr("Languages", "Slovenian"), "sq": tr("Languages", "Albanian"),
        "sr": tr("Languages", "Serbian"), "sv": tr("Languages", "Swedish"), "sw": tr("Languages", "Swahili"),
        "ta": tr("Languages", "Tamil"), "te": tr("Languages", "Telugu"), "th": tr("Languages", "Thai"),
        "tl": tr("Languages", "Filipino"), "tr": tr("Languages", "Turkish"), "uk": tr("Languages", "Ukrainian"),
        "ur": tr("Languages", "Urdu"), "vi": tr("Languages", "Vietnamese"), "zh": tr("Languages", "Chinese"),
    }  # fmt: skip
    return names.get(code.partition("-")[0].lower(), code)
