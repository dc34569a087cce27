"""Damage derivations at random and check them: nothing but a report may come out, and its places are in the text.

    python tests/claims/fuzz_check.py [--seconds 20] [--rounds 0] [--seed 0]

Each text is also checked undamaged: a right derivation must have no finding, whatever stands around it.
"""

import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # what all tests share

import fuzzing
from derivations import FORMS, SIZES, derivation

from reconcile.claims.claim import findings
from reconcile.pipeline.check import check
from reconcile.render.registry import Look, rendered

NOISE = (
    "=", "==", "≈", "(", ")", "((", "[", "]", "[768, ", "{", "}", "×", "**", "^", "^^9", "²", "/0", "/ 0", "-", "--",
    "+", "|", "||", "\\frac", "\\frac{1}", "\\times", "\\\\", "$", "$$", "`", "*", "&", "&times;", "&#", "<td>",
    "</tr>", "<tr>", "<", "{,}", "\x01", "7" * 60, "9" * 5000, "1e60", "1e999", "2^64^64", "10**10**10", "1/3",
    "0.1.2", "1.234.567", "12,34", "\u2009", "\u00a0", "\0", "\r", "\n", "\n\n", "\t", "\u2028", "\ud7ff",
    "\U0001d7ce", "BERT base", "bert-large-cased", "GPT-2", "total", "Total: 5", "half of", "L = 12, H = 768, A = 7",
    "d_model = 0", "vocabulary of 0", "110M", "3.4 million", "22.5 GFLOPs", "16GB", "50 %", "12 heads × ",
    "# every head", "x12", "| total | 5 |", "- row 5", "  row: 1,000", "is ", " gives ", "→ 5", "-> 7",
)  # fmt: skip


def drop(rng: random.Random, text: str) -> str:
    return "".join(letter for letter in text if rng.random() > 0.02)


def repeat(rng: random.Random, text: str) -> str:
    return "".join(line * rng.choice((1, 1, 1, 2, 3)) for line in text.splitlines(keepends=True))


def shuffle(rng: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    rng.shuffle(lines)
    return "".join(lines)


def cut(rng: random.Random, text: str) -> str:
    start, end = sorted(rng.choices(range(len(text) + 1), k=2))
    return text[start:end]


def insert(rng: random.Random, text: str) -> str:
    for _ in range(rng.randint(1, 6)):
        place = rng.randint(0, len(text))
        text = text[:place] + rng.choice(NOISE) + text[place:]
    return text


def join(rng: random.Random, text: str) -> str:
    return text.replace("\n", rng.choice((" ", "", "\r", "\r\n", " + ", " = ")))


def recode(rng: random.Random, text: str) -> str:
    to, back = rng.choice((("utf-8", "latin-1"), ("utf-8", "cp1252"), ("utf-16", "latin-1")))
    return text.encode(to, "replace").decode(back, "replace")


def nest(rng: random.Random, text: str) -> str:
    depth = rng.choice((1, 39, 41, 500))
    place = rng.randint(0, len(text))
    return text[:place] + "(" * depth + rng.choice(("1", "1 + 1", "")) + ")" * depth + text[place:]


DAMAGES: tuple[Callable[[random.Random, str], str], ...] = (drop, repeat, shuffle, cut, insert, join, recode, nest)


def look(text: str) -> None:
    """Check a text, print it in every form, and see that the places of its claims are in it."""
    checked = check(text, "fuzz")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for claim in checked.claims:
        assert 1 <= claim.line <= len(lines), claim
        assert 1 <= claim.column <= len(lines[claim.line - 1]), claim
        assert claim.value is None or type(claim.value) is int
        assert claim.expected is None or type(claim.expected) is int
        if claim.verdict in ("arithmetic wrong", "does not add up") and None not in (claim.value, claim.expected):
            assert claim.difference != 0, claim
    for form in ("json", "text", "markdown"):
        printed = rendered(checked, form, Look(80, ascii_only=form == "text"))
        assert printed.endswith("\n")


def run(seconds: float, rounds: int, seed: int) -> int:
    """Fuzz until the time or the rounds are over; the number of rounds done."""
    done = 0
    for done, rng in fuzzing.rounds(seconds, rounds, seed):
        right = FORMS[rng.choice(list(FORMS))](derivation(rng.choice(SIZES)))
        text, damages = right, rng.choices(DAMAGES, k=rng.randint(0, 4))
        for damage in damages:
            text = damage(rng, text)
        try:
            look(text)
            if not damages:
                assert not list(findings(check(right, "fuzz")))
        except Exception:
            print(f"round {done} of seed {seed}: {[damage.__name__ for damage in damages]}\n{text[:5000]}")
            raise
    return done


if __name__ == "__main__":
    options = fuzzing.parser("Fuzz the checking of texts.")
    given = options.parse_args()
    print(f"{run(given.seconds, given.rounds, given.seed)} rounds, no failure")
