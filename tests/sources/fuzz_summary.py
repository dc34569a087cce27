"""Damage printed summaries at random and read them: nothing but the project's own errors may come out.

    python tests/sources/fuzz_summary.py [--seconds 20] [--rounds 0] [--seed 0]

Each text is also read once undamaged. A count that is read must be one that was printed whole, unless digits
themselves were changed; that is checked for the kinds of damage that cannot change digits.
"""

import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # what all tests share

import fuzzing
from printers import PRINTERS, Row, boxed, cut, wrapped

from reconcile.errors import InputError
from reconcile.sources.summary import read_text

NAMES = ("dense", "Encoder-{}-MultiHeadSelfAttention", "x", "token_and_position_embedding", "tf.math.add", "a/b")
CLASSES = ("Dense", "LayerNormalization", "TFOpLambda", "X", "MultiHeadAttentionWithALongName")
SHAPES = ("(None, 8)", "[(None, 512, 768), (30522, 768)]", "multiple", "?", "{'a': (None, 2), 'b': (None, 128, 3)}")
NOISE = (
    "WARNING:tensorflow:5 variables 123", "2020-01-02 03:04:05.67: I tensorflow/core.cc:1] 42", "a (B) (None, 1) 5",
    "____________________", "=====================", "Total params: 12", "Total params: ", "Layer (type)", 'Model: "',
    "| a (B) | ? | 5 |", "\u00af" * 40, "7" * 5000, "0 (unused)",
    "```", "<span>", "&nbsp;", "\x1b[0m", "|", "||", "\u2502",
    "(", ")", "[", "'", "\u2026", "\t", "\0", "\r", "\ufeff", "#", "> ", "\u0663", "\ud800", "{", "\\n",
)  # fmt: skip


def rows(rng: random.Random) -> list[Row]:
    found: list[Row] = []
    for place in range(rng.randint(1, 12)):
        depth = rng.randint(0, min(found[-1].depth + 1, 3)) if found and rng.random() < 0.3 else 0
        count = rng.choice((0, 1, rng.randrange(100), rng.randrange(10**7), rng.randrange(10**10)))
        inbound = tuple(row.name for row in rng.sample(found, min(len(found), rng.randrange(3))))
        name = rng.choice(NAMES).format(place) + f"_{place}"
        found.append(Row(name, rng.choice(CLASSES), rng.choice(SHAPES), count, inbound, depth))
    return found


def printed(rng: random.Random, layers: list[Row]) -> str:
    length = rng.randint(40, 200)
    choice = rng.randrange(5)
    if choice == 0:
        return cut(layers, length, gap=rng.random() < 0.8)
    if choice == 1:
        return wrapped(layers, max(length, 60), early=rng.random() < 0.3)
    if choice == 2:
        return boxed(layers, [rng.randint(8, 40) for _ in range(4)], rng.choice(("heavy", "square", "ascii")))
    return rng.choice(list(PRINTERS.values()))(layers)


def drop_lines(rng: random.Random, text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if rng.random() > 0.1)


def repeat_lines(rng: random.Random, text: str) -> str:
    return "".join(line * rng.choice((1, 1, 1, 1, 2)) for line in text.splitlines(keepends=True))


def shuffle_lines(rng: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    rng.shuffle(lines)
    return "".join(lines)


def cut_text(rng: random.Random, text: str) -> str:
    start, end = sorted(rng.choices(range(len(text) + 1), k=2))
    return text[start:end]


def cut_lines(rng: random.Random, text: str) -> str:
    return "".join(line[rng.randrange(9) :] if rng.random() < 0.2 else line for line in text.splitlines(keepends=True))


def crop_lines(rng: random.Random, text: str) -> str:
    width = rng.randint(5, 120)
    return "".join(f"{line[:width]}\n" for line in text.splitlines())


def rewrap(rng: random.Random, text: str) -> str:
    width = rng.randint(20, 120)
    return "\n".join(line[at : at + width] for line in text.splitlines() for at in range(0, len(line) or 1, width))


def insert_noise(rng: random.Random, text: str) -> str:
    for _ in range(rng.randint(1, 5)):
        place = rng.randint(0, len(text))
        text = text[:place] + rng.choice(NOISE) + text[place:]
    return text


def squeeze(rng: random.Random, text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def recode(rng: random.Random, text: str) -> str:
    to, back = rng.choice((("utf-8", "latin-1"), ("utf-8", "cp1252"), ("utf-16", "latin-1"), ("cp437", "utf-8")))
    return text.encode(to, "replace").decode(back, "replace")


def join_lines(rng: random.Random, text: str) -> str:
    return text.replace("\n", rng.choice((" ", "", "\\n", "\r")))


def prefix(rng: random.Random, text: str) -> str:
    before = rng.choice(("# ", "> ", "\t", "//", "  12: ", "| "))
    return "".join(before + line for line in text.splitlines(keepends=True))


DAMAGES: tuple[Callable[[random.Random, str], str], ...] = (
    drop_lines, repeat_lines, shuffle_lines, cut_text, cut_lines, crop_lines, rewrap, insert_noise, squeeze, recode,
    join_lines, prefix,
)  # fmt: skip
HARMLESS = (prefix, crop_lines)
"""Damage that leaves digits out at most at the end of lines: what is read must be among what was printed."""


def check(text: str, layers: list[Row], damages: list[Callable[[random.Random, str], str]]) -> None:
    """Read a text, and compare with what was printed where the damage allows it."""
    try:
        found = read_text(text, "fuzz")
    except InputError:
        return
    if all(damage in HARMLESS for damage in damages):
        allowed = {row.params for row in layers}
        for inventory in found:
            told = {layer.params for layer in inventory.layers if layer.params is not None}
            assert told <= allowed, f"read {sorted(told - allowed)}"


def run(seconds: float, rounds: int, seed: int) -> int:
    """Fuzz until the time or the rounds are over; the number of rounds done."""
    done = 0
    for done, rng in fuzzing.rounds(seconds, rounds, seed):
        layers = rows(rng)
        text = printed(rng, layers)
        damages = rng.choices(DAMAGES, k=rng.randint(0, 3))
        for damage in damages:
            text = damage(rng, text)
        try:
            check(text, layers, damages)
        except Exception:
            print(f"round {done} of seed {seed}: {[damage.__name__ for damage in damages]}\n{text}")
            raise
    return done


if __name__ == "__main__":
    options = fuzzing.parser("Fuzz the reader of printed summaries.")
    given = options.parse_args()
    print(f"{run(given.seconds, given.rounds, given.seed)} rounds, no failure")
