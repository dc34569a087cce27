"""Damage printed listings at random and read them: nothing may be raised, and nothing invented.

    python tests/sources/fuzz_listings.py [--seconds 20] [--rounds 0] [--seed 0]

Where the damage changes no digit and no name, each tensor that is read must be one that was printed.
"""

import random
import sys
from collections.abc import Callable
from math import prod
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # what all tests share

import fuzzing
from fuzz_summary import DAMAGES, cut_text, insert_noise, prefix, repeat_lines, squeeze

from reconcile.explanation.loading import explain_load_error
from reconcile.sources.listings import read_listings

DATA = Path(__file__).resolve().parents[1] / "data"
NAMES = (
    "bert.embeddings.word_embeddings.weight", "encoder.layer.{}.attention.self.query.bias", "0.weight", "fc{}.bias",
    "bert/encoder/layer_{}/output/dense/kernel:0", "Encoder-{}-MultiHeadSelfAttention/Wq:0", "a.b.c.d.e.f{}.gamma",
)  # fmt: skip
FORMS = (
    "{n} torch.Size({l})", "{n}\t{t}", "{n}: {t} {c}", "('{n}', {l}),", "<tf.Variable '{n}' shape={t} dtype=float32>",
    "<Variable path={n}, shape={t}, dtype=float32, value=[0.1 0.2]>", "| {n} | {t} | {c} |", "{i} {n} {t} True",
    "INFO:tensorflow:  name = {n}, shape = {t}", "{n} (DT_FLOAT) {l}", "{n}\n{l}\nF32", '"{n}": {l},',
    "Layer: {n} | Size: torch.Size({l}) | Values : tensor([[ 0.02, ..., -0.01],\n        [0.1, 0.3]])",
)  # fmt: skip
HARMLESS = (repeat_lines, prefix, squeeze)
"""Damage that leaves each row as it is: what is read must be among what was printed."""


def tensors(rng: random.Random) -> dict[str, tuple[int, ...]]:
    names = {rng.choice(NAMES).format(place) for place in range(rng.randint(2, 12))}
    return {name: tuple(rng.choice((1, 2, 768, 30522)) for _ in range(rng.randint(1, 3))) for name in sorted(names)}


def printed(rng: random.Random, held: dict[str, tuple[int, ...]]) -> str:
    form = rng.choice(FORMS)
    lines = [
        form.format(n=name, t=shape, l=list(shape), c=prod(shape), i=place)
        for place, (name, shape) in enumerate(held.items())
    ]
    if "| {n}" in form:
        lines = ["| name | shape | params |", "|---|---|---|", *lines]
    return "\n".join(lines) + rng.choice(("\n", "", f"\nTotal params: {sum(map(prod, held.values())):,}\n"))


def check(text: str, held: dict[str, tuple[int, ...]], damages: list[Callable[[random.Random, str], str]]) -> None:
    """Read a text, and compare with what was printed where the damage allows it."""
    found = read_listings(text, "fuzz")
    explain_load_error(text)
    if all(damage in HARMLESS for damage in damages):
        for tensor in (tensor for inventory in found for tensor in inventory.tensors):
            name = tensor.path.partition("#")[0]  # a row that is there twice may be two tensors
            assert held.get(name) == tensor.shape, f"read {tensor.path} {tensor.shape}"


def sample(rng: random.Random) -> str:
    """A part of a text that a library printed."""
    path = rng.choice(sorted((DATA / rng.choice(("listings", "load_errors"))).glob("*.txt")))
    return cut_text(rng, path.read_text())


def run(seconds: float, rounds: int, seed: int) -> int:
    """Fuzz until the time or the rounds are over; the number of rounds done."""
    done = 0
    for done, rng in fuzzing.rounds(seconds, rounds, seed):
        held = tensors(rng)
        real = rng.random() < 0.3
        text = sample(rng) if real else printed(rng, held)
        damages = rng.choices((*DAMAGES, insert_noise) if real else DAMAGES, k=rng.randint(0, 3))
        for damage in damages:
            text = damage(rng, text)
        try:
            check(text, held, [*damages, insert_noise] if real else damages)
        except Exception:
            print(f"round {done} of seed {seed}: {[damage.__name__ for damage in damages]}\n{text}")
            raise
    return done


if __name__ == "__main__":
    options = fuzzing.parser("Fuzz the reader of listings and of errors of weights.")
    given = options.parse_args()
    print(f"{run(given.seconds, given.rounds, given.seed)} rounds, no failure")
