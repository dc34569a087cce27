"""Step 6f: sentences that say of one component how many parameters it has: the words are held against the count."""

import re

from reconcile.claims.judgement.context import LEAST, Context
from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import Singled, named, of_concepts, subject, words
from reconcile.claims.judgement.totals import best_total
from reconcile.claims.judgement.understood import is_plain
from reconcile.claims.structure.accounts import ALL, Account
from reconcile.claims.structure.labels import Label
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue, neutral
from reconcile.quantity import Quantity

_BEHIND = 90
"""Letters behind a count in which its sentence goes on."""
_DIGIT = re.compile(r"\d")
_AND = re.compile(r"[\s\x01]*(?:and|und|et|y|e|,|和|と)[\s\x01]*\d")
"""Another count behind a figure, of which each is of something else."""
_COUNT = re.compile(r"\d[\d,.]{3,}|\d(?:\.\d+)?[\s\x01]?[KMB万亿億만억]")
"""Another count before a figure: what is said in front of it is not of the figure alone."""


def plainly(context: Context, one: Judged) -> Judged | None:
    """A count of something else than the subject of its sentence: of one layer or all, with biases or without."""
    figure, document = one.figure, context.document
    before, behind = words(document, one, _BEHIND)
    if _AND.match(behind):
        return None
    before, behind = before.rpartition(": ")[2], _DIGIT.split(behind)[0]
    if figure is None or document.at(one).tabled or figure.value < LEAST or one.unit != "params":
        return None
    if not figure.exact and figure.figures < 2:
        return None
    if not cue("has").search(before) or _COUNT.search(before) or cue("apart").search(before + behind):
        return None
    without = document.at(one).before(_BEHIND) + before + behind  # behind a full stop too: `excl. embeddings`
    if cue("without").search(without) or cue("left_out").search(before + behind):
        return None
    found = _subject(context, one, before)
    if found is None:
        return _incomplete(context, one, figure, before)
    if not is_plain(found[0].model):
        return None
    said, meant = found[0], _meant(*found, before, behind)
    if not meant or any(figure.fits(account.count, True) for account in meant):
        return None
    other = next((account for account in said.model.accounts if figure.fits(account.count)), None)
    if other is None or other.total or other.rest:
        return None  # what is left of a model without the subject: `all but the embeddings`
    if "block[*]." in other.path and not other.path.endswith(ALL):
        beside = {near.exact for near in context.nearby.row(one) if near is not one}
        if any(account.count in beside for account in said.model.accounts if account.path.endswith("block[*]")):
            return None  # a layer of it is told apart: `la capa tiene 590.592 y el bloque 7.087.872`
    return one.wrong(meant[0], f"it is the count of `{other.path}`", model=said.model)


def two_norms(context: Context, one: Judged) -> Judged | None:
    """One norm's count that is said of two of them."""
    account, (before, behind) = one.account, words(context.document, one)
    if account is None or one.model is None or one.exact is None or cue("bias_free").search(before + behind):
        return None
    if cue("one_of_norm").search(before):
        return None  # `the beta of both`
    if speaks_of(context.document, "scale_alone", "biases_alone"):
        return None  # which is all that a norm has there, or all of it that is trained
    if not cue("two_norms").search(before) and not (cue("both").match(behind) and cue("two_norms").search(behind)):
        return None
    both = (each for each in one.model.accounts if " + " in each.path and each.count == 2 * account.count)
    right = next((each for each in both if account.path in each.path.split(" + ")), None)
    of_others = (each for each, _ in context.document.index.of(one.exact))
    if right is None or cue("apiece").search(before + behind) or any(" + " in each.path for each in of_others):
        return None
    return one.wrong(right, "it is the count of one of the two", model=one.model)


def _incomplete(context: Context, one: Judged, figure: Quantity, before: str) -> Judged | None:
    """A model that is called complete, with the count of it without biases, norms or a table."""
    if concepts_in(before) - {"whole"} or not cue("complete").search(before) or not figure.exact:
        return None
    for model in subject(context.document, one):
        left = next((each for each in model.variants if each.count == one.exact and " without" in each.path), None)
        if left is not None and (right := best_total(model)) is not None:
            return one.wrong(right, f"it is the count of `{left.path}`", model=model)
    return None


def _subject(context: Context, one: Judged, before: str) -> tuple[Singled, frozenset[str]] | None:
    """The component that the subject of a sentence names, with its concepts; blocks are one of them or all."""
    concepts = concepts_in(cue("included").sub(" ", before))
    concepts -= {"kernel"} if cue("included").search(before) else set()  # `each matrix with its bias` is a layer
    if (
        "all" in concepts
        and not concepts - neutral()
        and (cue("of_one").search(before) or cue("of_all").search(before))
    ):
        concepts |= {"block"}
    said = of_concepts(context.document, one, concepts)
    return None if said is None else (said, named(Label(None, only=concepts)))


def _meant(said: Singled, components: frozenset[str], before: str, behind: str) -> list[Account]:
    """The accounts that the words of a sentence leave, the whole component first."""
    sentence, plain = before + behind, not components - {"block"} and not concepts_in(behind) - neutral()
    if cue("included").search(sentence):  # a norm that is named besides is counted with it
        every = [account for account in said.model.accounts if account.path.partition(" + ")[0] in said.names]
    else:
        alike = (account for account in said.model.accounts if components <= concepts_of(account.path))
        every = [*said.ways, *(() if plain else said.parts), *alike]
    one = cue("of_one").search(sentence) is not None
    if one or cue("of_all").search(sentence):
        every = [account for account in every if said.is_of_all(account) != one]
    return sorted(every, key=lambda account: account.path not in said.names)
