"""How many changed derivations `check` finds, how many right ones it leaves alone, and how fast it reads.

The derivations are those of the tests, drawn with a fixed seed. What is missed is listed by name on standard error.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "claims"))

from derivations import FORMS, SIZES, Derivation, Part, derivation, other, planted
from labelled import ROOT, names, score

from benchmarks.measure import compare, reconcile
from benchmarks.rows import START_UP, Row
from reconcile.claims.claim import findings
from reconcile.pipeline.check import check

SEED = 20260101
PLANTED = 1000
NAMED = 400
NAMES = ("BERT base, uncased", "BERT base, cased", "BERT large, uncased", "BERT base, Chinese")
"""The models of the first sizes, as a heading names them."""
MEGABYTE = 2**20

PROSE = """BERT base has 12 layers, a hidden size of 768 and 12 heads; its vocabulary has 30,522 entries.
What a layer learns in training is spread over its projections, and nobody has said yet what each is good for.
The token embedding has 30,522 × 768 = 23,440,896 parameters; with positions and segments it is a little more.
People have pruned heads and layers, shared them, and made them wider; most of what they found holds elsewhere.
With the pooler this makes 23,837,184 + 85,054,464 + 590,592 = 109,482,240, which people round to 110M.

"""


def changed_numbers() -> Iterator[Row]:
    """Derivations in which one number was changed and nothing else: those in which nothing is found, in per cent."""
    missed = [one.changed for _, one, text in islice(planted(SEED), PLANTED) if not _found(text)]
    _list(missed)
    yield Row(f"missed of {PLANTED:,} derivations with one number changed", 100 * len(missed) / PLANTED, None, 6, "%")


def changed_terms() -> Iterator[Row]:
    """Derivations of a model that is named, one factor changed and all worked out again: those missed, in per cent."""
    rng = random.Random(SEED)
    missed = []
    for _ in range(NAMED):
        place = rng.randrange(len(NAMES))
        one = _worked_out_again(rng, derivation(SIZES[place]))
        text = f"{NAMES[place]}\n\n{FORMS[rng.choice(list(FORMS))](one)}"
        if not _found(text):
            missed.append(f"{NAMES[place]}: {one.changed}")
    _list(missed)
    yield Row(
        f"missed of {NAMED:,} derivations with one term changed throughout", 100 * len(missed) / NAMED, None, 2, "%"
    )


def right_derivations() -> Iterator[Row]:
    """Derivations in which nothing is wrong: those in which something is found, in per cent."""
    texts = [form(derivation(sizes)) for sizes in SIZES for form in FORMS.values()]
    wrong = sum(map(_found, texts))
    yield Row(f"blamed of {len(texts):,} right derivations", 100 * wrong / len(texts), None, 0, "%")


def labelled_texts() -> Iterator[Row]:
    """Texts with claims labelled by hand: false accusations, errors missed, right claims left open, in per cent."""
    found = score(names())
    false = found.accusations - found.true
    yield Row("false accusations of labelled texts", 100 * false / max(found.accusations, 1), None, 3, "%")
    yield Row("errors missed in labelled texts", 100 * (1 - found.found / found.errors), None, 50, "%")
    yield Row("errors said to hold in labelled texts", 100 * found.held / found.errors, None, 8, "%")
    yield Row("right claims of labelled texts not confirmed", 100 * (1 - found.confirmed / found.right), None, 20, "%")


def reading() -> Iterator[Row]:
    """Seconds for a megabyte of prose, of one kind of line and nothing else, and of the labelled texts."""
    for name, text in _long_texts().items():
        yield Row(f"1 MB of {name}", _seconds(text, MEGABYTE), None, 2, "s")
    small, large = _seconds(PROSE, MEGABYTE // 8), _seconds(PROSE, MEGABYTE)
    yield Row("eight times the text, in times the time", large / small, None, 10, "×")


def _long_texts() -> dict[str, str]:
    """What is repeated to make long texts: all labelled texts, and lines of one kind each."""
    released = (("BERT base", 110), ("bert-large-uncased", 340), ("GPT-2 small", 124), ("xlm-roberta-base", 278))
    named = "".join(f"{name} has {millions}M parameters.\n" for name, millions in released)
    sizes = "{p}M parameters take {f} MB in fp32 and {h} MB in fp16; Adam's moments {m} MB.\n"
    texts = "\n\n".join(Path(ROOT, name).read_text("utf-8") for name in names())
    return {
        "prose": PROSE,
        "equations and nothing else": _equations(),
        "rows and nothing else": "BERT base\n"
        + "".join(f"  part {place} [768, {place}] = {768 * place:,}\n" for place in range(1, 400)),
        "names and nothing else": named,
        "bytes and nothing else": "".join(sizes.format(p=p, f=4 * p, h=2 * p, m=8 * p) for p in range(100, 140)),
        "names in one line": named.replace("\n", " ") * 80 + "\n",
        "labelled texts": texts,
    }


def checking_command() -> Iterator[Row]:
    """The whole process for a short text, against a Python that imports what any such command needs."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "text.md")
        text.write_text(PROSE, "utf-8")
        ours, bare = compare(reconcile("check", str(text)), START_UP, times=15, watch=False)
    yield Row("reconcile check, a short text", 1000 * ours.seconds, 1000 * bare.seconds, 3, "ms")


def _found(text: str) -> bool:
    return any(severity == "error" for _, severity, _ in findings(check(text, "benchmark")))


def _list(missed: list[str]) -> None:
    for name in missed[:20]:
        print(f"  missed: {name}", file=sys.stderr)


def _worked_out_again(rng: random.Random, right: Derivation) -> Derivation:
    place = rng.randrange(len(right.parts))
    part = right.parts[place]
    products = [list(factors) for factors in part.products]
    factors = rng.choice(products)
    at = rng.randrange(len(factors))
    factors[at] = other(rng, factors[at])
    new = Part.of(part.name, *map(tuple, products))
    parts = (*right.parts[:place], new, *right.parts[place + 1 :])
    return Derivation(parts, sum(one.count for one in parts), f"{factors} in {part.name}")


def _equations() -> str:
    rng = random.Random(SEED)
    pairs = [(rng.randrange(2, 10**5), rng.randrange(2, 10**5)) for _ in range(2000)]
    return "".join(f"{left:,} × {right:,} + {right} = {left * right + right:,}\n" for left, right in pairs)


def _seconds(text: str, size: int) -> float:
    whole = text * (size // len(text) + 1)
    begun = time.process_time()
    check(whole, "benchmark")
    return time.process_time() - begun


MEASUREMENTS: tuple[Callable[[], Iterator[Row]], ...] = (
    changed_numbers,
    changed_terms,
    right_derivations,
    labelled_texts,
    reading,
    checking_command,
)
