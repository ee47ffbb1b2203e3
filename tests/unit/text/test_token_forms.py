"""Keys and tokens of services are found by their form, and values with a label if they were drawn at random."""

import random
import string

import pytest

from desktop_rag.text.secrets import find_secrets

_DRAW = random.Random(7)
_WORD, _HEX, _UPPER = string.ascii_letters + string.digits, string.digits + "abcdef", string.ascii_uppercase


def drawn(length: int, letters: str = _WORD) -> str:
    """Return what looks like the random part of a key; it holds a digit, as nearly all keys do."""
    return "".join(_DRAW.choices(letters, k=length - 1)) + _DRAW.choice("23456789" if letters != _UPPER else letters)


TOKENS = {
    "1Password": f"ops_eyJ{drawn(250)}",
    "Alibaba": f"LTAI{drawn(20)}",
    "Atlassian": f"ATCTT3xFfG{drawn(180)}",
    "Bedrock": f"ABSK{drawn(120)}",
    "Bitbucket": f"ATBB{drawn(32)}",
    "Cloudflare": f"v1.0-{drawn(24, _HEX)}-{drawn(146, _HEX)}",
    "DigitalOcean": f"doo_v1_{drawn(64, _HEX)}",
    "Docker": f"dckr_pat_{drawn(27)}",
    "ElevenLabs": f"sk_{drawn(48, _HEX)}",
    "Entra": f"{drawn(3)}8Q~{drawn(34)}",
    "Facebook": f"EAAC{drawn(120)}",
    "Figma": f"figd_{drawn(40)}",
    "Fly": f"fm2_{drawn(100)}",
    "GitLab runner": f"glrt-{drawn(20)}",
    "Groq": f"gsk_{drawn(52)}",
    "Heroku": f"HRKU-AA{drawn(58)}",
    "LangSmith": f"lsv2_pt_{drawn(32, _HEX)}_{drawn(10, _HEX)}",
    "Linear": f"lin_api_{drawn(40)}",
    "Mailchimp": f"{drawn(32, _HEX)}-us12",
    "Mailgun": f"key-{drawn(32, _HEX)}",
    "New Relic": f"NRAK-{drawn(27, _UPPER)}",
    "Notion": f"ntn_{drawn(46)}",
    "Notion, old": f"secret_{drawn(43)}",
    "NVIDIA": f"nvapi-{drawn(64)}",
    "Perplexity": f"pplx-{drawn(48)}",
    "PlanetScale": f"pscale_tkn_{drawn(43)}",
    "Pulumi": f"pul-{drawn(40, _HEX)}",
    "Replicate": f"r8_{drawn(37)}",
    "RubyGems": f"rubygems_{drawn(48, _HEX)}",
    "Sentry": f"sntrys_{drawn(60)}",
    "Slack app": f"xapp-1-A{drawn(10)}-{drawn(13, string.digits)}-{drawn(64, _HEX)}",
    "Slack refresh": f"xoxe.xoxp-1-{drawn(100)}",
    "Stripe webhook": f"whsec_{drawn(32)}",
    "Supabase": f"sbp_{drawn(40, _HEX)}",
    "Tavily": f"tvly-{drawn(32)}",
    "Tencent": f"AKID{drawn(32)}",
    "Terraform": f"{drawn(14)}.atlasv1.{drawn(66)}",
    "Vault": f"hvb.{drawn(100)}",
    "Vercel": f"vercel_blob_rw_{drawn(30)}",
    "xAI": f"xai-{drawn(80)}",
    "encrypted JSON web token": f"eyJ{drawn(30)}.{drawn(60)}.{drawn(16)}.{drawn(80)}.{drawn(22)}",
}


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
def test_tokens_are_found_whole_by_their_form(token: str) -> None:
    text = f"The value is {token} for the server.\n"
    ((start, end),) = [(found.start, found.end) for found in find_secrets(text)]
    assert text[start:end] == token


@pytest.mark.parametrize("token", [TOKENS["Groq"], TOKENS["NVIDIA"], TOKENS["Docker"]])
def test_a_token_that_is_broken_at_the_end_of_a_line_is_found(token: str) -> None:
    text = f"The value is {token[:25]}\n{token[25:]}\nfor the server."
    ((start, end),) = [(found.start, found.end) for found in find_secrets(text)]
    assert text[start:end] == f"{token[:25]}\n{token[25:]}"


@pytest.mark.parametrize(
    "label",
    [
        *("Authorization: token ", "token: ", "TOKEN=", "DEPLOY_SECRET=", "secret: ", "key: ", "- **Key:** "),
        *("| Key | ", "credentials: ", "The key is ", "Der Secret lautet “"),
    ],
)
@pytest.mark.parametrize("value", ["x7Kp2Qm9Zr4Tn8Vb1Lc6Wd3Hf5", drawn(40, _HEX)])
def test_a_value_with_a_label_is_found_if_it_was_drawn(label: str, value: str) -> None:
    text = f"{label}{value}\n"
    ((start, end),) = [(found.start, found.end) for found in find_secrets(text)]
    assert text[start:end] == value


@pytest.mark.parametrize(
    "text",
    [
        *("key: the-second-chapter-of-1999", "Key: IMG_20240512_Harbour.jpg", "secret: reports/2024/Harbour1.pdf"),
        *("token: 2024-05-06T12:30:00", "key: 0000000000000000000000000000000000", "The token is international2024"),
        *("keynote: x7Kp2Qm9Zr4Tn8Vb1Lc6Wd3Hf5", "the key to x7", "credentials: see chapter 12, part 3"),
        *("the tokens gsk_ and nvapi- begin keys", "xai-driven methods", "key-value stores", "NRAK-1 is a ticket"),
    ],
)
def test_names_of_files_dates_and_words_are_no_secrets(text: str) -> None:
    assert list(find_secrets(text)) == []
