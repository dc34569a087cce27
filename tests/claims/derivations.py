"""Derivations of a model's count as people write them, right or with one number changed, in many forms."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

BOLD = {ord(str(digit)): 0x1D7CE + digit for digit in range(10)}
"""Mathematical bold digits."""

Sizes = Mapping[str, int]


@dataclass(frozen=True)
class Part:
    """A named part: what it is the product or sum of, as a list of products, and its count."""

    name: str
    products: tuple[tuple[int, ...], ...]
    count: int

    @classmethod
    def of(cls, name: str, *products: tuple[int, ...]) -> "Part":
        return cls(name, products, sum(map(_product, products)))


@dataclass(frozen=True)
class Derivation:
    """The parts of a model and their total; `changed` says which number was changed, if one was."""

    parts: tuple[Part, ...]
    total: int
    changed: str = ""


def _product(factors: tuple[int, ...]) -> int:
    result = 1
    for factor in factors:
        result *= factor
    return result


def derivation(sizes: Sizes) -> Derivation:
    """BERT with its pooler, from the sizes of the paper. V·H + P·H + T·H + 2·H, L blocks, H² + H."""
    v, p, t, h, f, layers = (sizes[name] for name in "VPTHFL")
    block = 4 * (h * h + h) + 2 * h * f + f + h + 4 * h
    parts = (
        Part.of("word embeddings", (v, h)),
        Part.of("position embeddings", (p, h)),
        Part.of("segment embeddings", (t, h)),
        Part.of("layer norm of the embeddings", (2, h)),
        Part.of("all blocks", (layers, block)),
        Part.of("pooler", (h, h), (h,)),
    )
    return Derivation(parts, sum(part.count for part in parts))


SIZES: tuple[Sizes, ...] = (
    {"V": 30522, "P": 512, "T": 2, "H": 768, "F": 3072, "L": 12},
    {"V": 28996, "P": 512, "T": 2, "H": 768, "F": 3072, "L": 12},
    {"V": 30522, "P": 512, "T": 2, "H": 1024, "F": 4096, "L": 24},
    {"V": 21128, "P": 512, "T": 2, "H": 768, "F": 3072, "L": 12},
    {"V": 119547, "P": 512, "T": 2, "H": 768, "F": 3072, "L": 12},
    {"V": 30522, "P": 512, "T": 2, "H": 512, "F": 2048, "L": 8},
    {"V": 50000, "P": 514, "T": 1, "H": 640, "F": 2560, "L": 9},
)


def changed(rng: random.Random, right: Derivation) -> Derivation:
    """The derivation with one number changed: a factor, a part's count or the total."""
    what = rng.choice(("factor", "count", "total"))
    if what == "total":
        return replace(right, total=other(rng, right.total), changed="total")
    place = rng.randrange(len(right.parts))
    part = right.parts[place]
    if what == "count":
        new = replace(part, count=other(rng, part.count))
    else:
        one = rng.randrange(len(part.products))
        factors = list(part.products[one])
        at = rng.randrange(len(factors))
        factors[at] = other(rng, factors[at])
        new = replace(part, products=(*part.products[:one], tuple(factors), *part.products[one + 1 :]))
    return replace(
        right, parts=(*right.parts[:place], new, *right.parts[place + 1 :]), changed=f"{what} of {part.name}"
    )


def other(rng: random.Random, value: int) -> int:
    """Another number that somebody might have written: a digit wrong, two changed about, one too many or too few."""
    digits = list(str(value))
    at = rng.randrange(len(digits))
    choice = rng.randrange(4)
    if choice == 0:
        digits[at] = str((int(digits[at]) + rng.randint(1, 9)) % 10)
    elif choice == 1 and at + 1 < len(digits):
        digits[at], digits[at + 1] = digits[at + 1], digits[at]
    elif choice == 2:
        return value + rng.choice((-1, 1, 2, 10))
    else:
        digits.insert(at, str(rng.randint(1, 9)))
    new = int("".join(digits))
    return new if new != value and new > 0 else value + 1


def comma(value: int) -> str:
    return f"{value:,}"


def expression(part: Part, times: str = " × ", number: Callable[[int], str] = comma) -> str:
    return " + ".join(times.join(map(number, factors)) for factors in part.products)


def prose(given: Derivation) -> str:
    lines = [f"The {part.name} come to {expression(part)} = {part.count:,} parameters." for part in given.parts]
    terms = " + ".join(comma(part.count) for part in given.parts)
    return "\n".join([*lines, f"In all that is {terms} = {given.total:,} parameters."])


def latex(given: Derivation) -> str:
    def number(value: int) -> str:
        return f"{value:,}".replace(",", "{,}")

    sign, end = " \\times ", "\\\\"
    lines = [
        f"\\text{{{part.name}}} &= {expression(part, sign, number)} = {number(part.count)} {end}"
        for part in given.parts
    ]
    terms = " + ".join(number(part.count) for part in given.parts)
    return "\n".join(["\\begin{align}", *lines, f"\\text{{total}} &= {terms} = {number(given.total)}", "\\end{align}"])


def markdown(given: Derivation) -> str:
    rows = [f"| {part.name} | {expression(part, ' * ', str)} = {part.count:,} |" for part in given.parts]
    return "\n".join(["| part | parameters |", "|---|---:|", *rows, f"| **Total** | **{given.total:,}** |"])


def html(given: Derivation) -> str:
    rows = [
        f"<tr><td>{part.name}</td>\n<td>{expression(part, ' &times; ')} = {part.count:,}</td></tr>"
        for part in given.parts
    ]
    total = f"<tr><td><b>Total</b></td><td>{given.total:,}</td></tr>"
    return "\n".join(["<table><tr><th>part</th><th>parameters</th></tr>", *rows, total, "</table>"])


def listing(given: Derivation) -> str:
    rows = [f"- {part.name}: {expression(part, '·')} = {part.count}" for part in given.parts]
    return "\n".join([*rows, f"- total: {given.total}"])


def code(given: Derivation) -> str:
    rows = [f"# {part.name}\n{expression(part, '*', str)} == {part.count}" for part in given.parts]
    terms = " + ".join(str(part.count) for part in given.parts)
    return "\n".join([*rows, "# everything", f"{terms} == {given.total}"])


def bold(given: Derivation) -> str:
    return prose(given).translate(BOLD)


def aligned(given: Derivation) -> str:
    rows = [f"{part.name:<32}{expression(part, ' x '):>28} = {part.count:>14,}" for part in given.parts]
    return "\n".join([*rows, "-" * 78, f"{'total':<32}{'':>28}   {given.total:>14,}"])


def spaced(given: Derivation) -> str:
    return prose(given).replace(".", "").replace(",", "\u202f")


FORMS: Mapping[str, Callable[[Derivation], str]] = {
    form.__name__: form for form in (prose, latex, markdown, html, listing, code, bold, aligned, spaced)
}


def planted(seed: int) -> Iterator[tuple[str, Derivation, str]]:
    """Derivations with one number changed, without end: the form, the derivation and its text."""
    count = 0
    while True:
        rng = random.Random(f"{seed}/{count}")
        given = changed(rng, derivation(rng.choice(SIZES)))
        form = rng.choice(list(FORMS))
        yield form, given, FORMS[form](given)
        count += 1
