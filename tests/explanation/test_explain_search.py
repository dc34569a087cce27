"""The search finds every sum of a first term and one or two signed others, each once: compared with trying them all."""

from itertools import combinations_with_replacement

from hypothesis import given
from hypothesis import strategies as st

from reconcile.evidence import codes
from reconcile.explanation.contexts import Setting, Valued, by_value, of_spec, valued
from reconcile.explanation.nodes import Reading, Term
from reconcile.explanation.search import Hit, exact, one_more, sums, two_more
from reconcile.explanation.verbalise import amounts, bridge, difference, items_of
from reconcile.formula import Formula
from reconcile.spec import load_spec

BASE = of_spec(load_spec("bert-base-uncased"))
SIZES = BASE.dimensions
HERE = Setting({}, codes.SAME)
EVERYTHING = 10**6


def term(value: int, place: int) -> Valued:
    formula = Formula.of(value)
    reading = Reading(f"part {place}", f"part {place}", {f"part {place}": formula})
    return Valued(value, HERE, Term(formula, 5 + place % 3, "component", (reading,)))


VALUES = st.lists(st.integers(1, 40), min_size=1, max_size=6)


def shape(hit: Hit) -> tuple[str, tuple[tuple[int, str], ...]]:
    assert hit.first is not None
    return hit.first.readings[0].node, tuple(sorted((sign, one.readings[0].node) for sign, one in hit.more))


@given(VALUES, st.integers(-20, 120))
def test_one_more_is_found_once(values: list[int], figure: int) -> None:
    items = [term(value, place) for place, value in enumerate(values)]
    found = [shape(hit) for hit in one_more(figure, items, by_value(items))]
    wanted = [
        (f"part {a}", ((sign, f"part {b}"),))
        for a, first in enumerate(values)
        for b, other in enumerate(values)
        for sign in (1, -1)
        if first + sign * other == figure
    ]
    assert sorted(found) == sorted(wanted)


@given(VALUES, st.integers(-20, 120))
def test_two_more_are_found(values: list[int], figure: int) -> None:
    items = [term(value, place) for place, value in enumerate(values)]
    found = {shape(hit) for hit in two_more(figure, items, by_value(items), EVERYTHING)}
    signed = [(sign, place) for place in range(len(values)) for sign in (1, -1)]
    wanted = {
        (f"part {a}", tuple(sorted(((s, f"part {b}"), (t, f"part {c}")))))
        for a, first in enumerate(values)
        for (s, b), (t, c) in combinations_with_replacement(signed, 2)
        if first + s * values[b] + t * values[c] == figure
    }
    assert found == wanted


@given(VALUES, st.integers(-60, 60).filter(bool))
def test_every_sum_of_a_difference_is_that_difference(values: list[int], change: int) -> None:
    items = [term(value, place) for place, value in enumerate(values)]
    for hit in sums(change, by_value(items), HERE, EVERYTHING):
        assert sum(sign * one.formula.evaluate({}) for sign, one in hit.more) == change


def test_a_bound_on_bits_is_kept() -> None:
    most = 24
    hits = list(two_more(109_482_240, BASE.own, BASE.further[0], most))
    assert hits
    assert all(hit.bits <= most for hit in hits)


def test_a_term_of_a_size_that_is_not_known_has_no_value() -> None:
    both, one = (Term(Formula.of(text), 5, "component", ()) for text in ("H*Q", "H"))
    assert list(valued([both, one], [Setting({"H": 3})])) == [Valued(3, Setting({"H": 3}), one)]


def test_what_is_changed_is_valued_anew() -> None:
    changed = [item for item in BASE.firsts if item.setting.changed]
    assert {item.setting.changed for item in changed} >= {("V",), ("L",), ("H", "F", "L"), ("V", "P", "T")}
    for item in changed:
        assert item.value == item.term.formula.evaluate(item.setting.dimensions)


def test_two_terms_are_of_the_same_sizes() -> None:
    hits = list(one_more(109_482_240 + 3_072, BASE.firsts, BASE.counts))
    assert {hit.setting.changed for hit in hits} > {()}
    for hit in hits:
        assert sum(sign * one.formula.evaluate(hit.setting.dimensions) for sign, one in hit.parts) == 109_485_312


def test_an_exact_hit_costs_its_setting_its_name_and_an_end() -> None:
    hits = list(exact(109_482_240, BASE.counts))
    assert hits[0].bits == codes.SAME + codes.QUOTED[1] + codes.END


def test_each_further_term_costs_a_sign() -> None:
    one, two = (term(value, 0).term for value in (3, 4))
    bits = HERE.bits + 2 * one.bits + codes.SIGN + codes.END
    assert Hit(HERE, one, ((1, two),)).bits == Hit(HERE, one, ((-1, two),)).bits == bits
    assert Hit(HERE, None, ((1, one), (1, two))).bits == bits + 1  # the first sign of a difference


def test_what_is_not_there_cannot_be_taken_away() -> None:
    named = {one.readings[0].node: one for one in BASE.terms}
    backbone, pretraining, pooler = named["backbone"], named["pretraining"], named["pooler"]
    assert items_of(Hit(Setting(SIZES), pretraining, ((-1, pooler),)), SIZES) is not None
    found = items_of(Hit(Setting(SIZES), backbone, ((-1, pooler),)), SIZES)
    # The pooler is none of a backbone's components, but a projection of one block counts the same.
    assert found is not None
    assert "pooler" not in found[0][1].component
    assert items_of(Hit(Setting(SIZES), named["embeddings"], ((-1, pooler),)), SIZES) is None


def test_a_bridge_adds_up_and_names_whole_nodes() -> None:
    named = {one.readings[0].node: one.readings[0].account for one in BASE.terms}
    left, right = amounts(named["backbone"], SIZES), amounts(named["pretraining"], SIZES)
    found = bridge(difference(left, right), BASE.terms, SIZES)
    assert [one.words for one in found] == ["the pooler and the pre-training heads"]
    assert sum(one.value for one in found) == sum(right.values()) - sum(left.values())


class Counting(dict[int, list[Valued]]):
    """Terms by value that count how often they are asked for."""

    asked = 0

    def get(self, value: int, default: object = None) -> object:  # type: ignore[override]
        self.asked += 1
        return super().get(value, default)


def test_the_search_ends_where_no_pair_is_short_enough() -> None:
    first, *_ = items = [term(3, 0), term(40, 2), term(5, 0)]
    dearest_first = by_value(sorted(items, key=lambda item: -item.bits))
    (hit,) = two_more(11, [first], dearest_first, EVERYTHING)  # 3 + 5 + 3
    assert list(two_more(11, [first], dearest_first, hit.bits)) == [hit]
    counting = Counting(dearest_first)
    assert not list(two_more(11, [first], counting, hit.bits - 1))
    assert not counting.asked
