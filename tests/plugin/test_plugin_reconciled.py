"""The fixture `reconciled`, the marker, and what the plugin costs where it is not used."""

import subprocess
import sys

import pytest
from ledgers import ledger
from support import ROOT

import reconcile.pytest_plugin.checks  # noqa: F401 - so that each run in this process finds it there
from reconcile.render.snapshot import render

SMALL = {"V": 30, "P": 8, "T": 2, "H": 4, "A": 2, "D": 2, "F": 16, "L": 2, "S": 8}

# One row that is 3 short of 4·(H² + H) = 4·(16 + 4) = 80, and a total that goes with it.
WRONG = render(ledger(("pooler",), **SMALL)).replace("pooler.bias  H  (4)  4", "pooler.bias  H  (1)  1")


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with two models, and one that contradicts itself."""
    (pytester.path / "model.txt").write_text(render(ledger(("pooler",), **SMALL)), "utf-8")
    (pytester.path / "other.txt").write_text(render(ledger((), **SMALL)), "utf-8")
    total = ledger(("pooler",), **SMALL).total
    (pytester.path / "wrong.txt").write_text(WRONG.replace(f"{total:,} param", f"{total - 3:,} param"), "utf-8")
    (pytester.path / "two.txt").write_text(_summary("first", 4) + "\n" + _summary("second", 8), "utf-8")
    (pytester.path / "eight.txt").write_text(_summary("eight", 8), "utf-8")
    return pytester


def _summary(name: str, units: int) -> str:
    """What Keras prints of a model with one dense layer on three inputs."""
    count = 3 * units + units
    rule = "_" * 65 + "\n"
    return (
        f'Model: "{name}"\n{rule}{"Layer (type)":29}{"Output Shape":26}Param #\n{"=" * 65}\n'
        f"{'input_1 (InputLayer)':29}{'[(None, 3)]':26}0\n{'dense (Dense)':29}{f'(None, {units})':26}{count}\n"
        f"{'=' * 65}\nTotal params: {count}\nTrainable params: {count}\nNon-trainable params: 0\n{rule}"
    )


# What a test does, whether it passes, and what pytest prints.
CASES: dict[str, tuple[str, bool, tuple[str, ...]]] = {
    "it reconciles": ('reconciled("model.txt")', True, ()),
    "the report": ('assert reconciled("model.txt").total == 676', True, ()),
    "a path": ('import pathlib; reconciled(pathlib.Path("model.txt"))', True, ()),
    "a count that its formula contradicts": (
        'reconciled("wrong.txt")',
        False,
        (
            "wrong.txt (673 parameters) does not reconcile: 1 finding",
            "error       pooler.bias           4         1            −3",
            "pooler.bias has 1 parameters where H makes 4",
        ),
    ),
    "nothing fails": ('reconciled("wrong.txt", fail_on="never")', True, ()),
    "the same as another": ('reconciled("model.txt", against="model.txt")', True, ()),
    "not the same as another": (
        'reconciled("model.txt", against="other.txt")',
        False,
        (
            "only in this model: H² + H = 4² + 4 = 20",
            "this model has a pooler; everything else agrees.",
        ),
    ),
    "two models": ('reconciled("two.txt")', False, ("two.txt: got 2 models, takes index=1 to index=2",)),
    "the second of two": ('assert reconciled("two.txt", index=2).total == 32', True, ()),
    "a third of two": ('reconciled("two.txt", index=3)', False, ("index: got 3, takes 1 to 2",)),
    "the second of two against another": ('reconciled("two.txt", index=2, against="eight.txt")', True, ()),
    "against the first of two": (
        'reconciled("eight.txt", against="two.txt", against_index=1)',
        False,
        ("+16 = (8 − 4) × (3 + 1)",),
    ),
    "against the second of two": (
        'reconciled("eight.txt", against="two.txt", against_index=2)',
        True,
        (),
    ),
    "no source": ('reconciled("none.txt")', False, ("reconcile: none.txt: got no such file",)),
    "another threshold": ('reconciled("model.txt", fail_on="grave")', False, ("takes error, warning, note or never",)),
}


@pytest.mark.parametrize(("code", "passes", "printed"), CASES.values(), ids=CASES)
def test_reconciled(project: pytest.Pytester, code: str, passes: bool, printed: tuple[str, ...]) -> None:
    project.makepyfile(f"def test_it(reconciled):\n    {code}\n")
    done = project.runpytest("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:hypothesispytest")
    out = done.stdout.str()
    assert done.ret == (0 if passes else 1), out
    assert [line for line in printed if line not in out] == []
    if "grave" not in code:
        assert "def test_it" not in out


def test_the_plugin_imports_nothing_of_the_package() -> None:
    code = "import sys, reconcile.pytest_plugin; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    ours = ["reconcile", "reconcile.pytest_plugin", "reconcile.version"]
    packages = ("reconcile", "tensorflow", "keras", "numpy", "h5py", "click", "tabulate")
    assert [name for name in done.stdout.split() if name.startswith(packages)] == ours


def test_that_check_can_fail() -> None:
    code = (
        "import sys, reconcile.pytest_plugin, reconcile.pytest_plugin.checks; print('reconcile.formula' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"]


def test_the_fixtures_and_options_are_listed(pytester: pytest.Pytester) -> None:
    listed = pytester.runpytest("--fixtures", "-q").stdout.str()
    assert all(name in listed for name in ("reconciled", "model_snapshot", "keras_bert_release"))
    helped = pytester.runpytest("--help").stdout.str()
    assert "--reconcile-update" in helped
    assert "--reconcile-strict" in helped
    assert "reconcile_releases" in pytester.runpytest("--markers").stdout.str()


# A marked test, and what pytest says of it.
MARKED: dict[str, tuple[str, tuple[str, ...]]] = {
    "releases": (
        "@pytest.mark.reconcile_releases('0.15..0.16', '0.5,0.89')\ndef test_it(keras_bert_release): pass",
        ("test_it[0.15.0]", "test_it[0.16.0]", "test_it[0.89.0]", "3 tests collected"),
    ),
    "no range": (
        "@pytest.mark.reconcile_releases\ndef test_it(keras_bert_release): pass",
        ("test_it: reconcile_releases takes ranges such as '0.16..0.89'",),
    ),
    "no release": (
        "@pytest.mark.reconcile_releases('7.0')\ndef test_it(keras_bert_release): pass",
        ("takes a published release; near it are",),
    ),
    "none that can be imported": (
        "@pytest.mark.reconcile_releases('0.5.0')\ndef test_it(keras_bert_release): pass",
        ("none of these releases can be imported",),
    ),
    "without the fixture": (
        "@pytest.mark.reconcile_releases('0.89')\ndef test_it(): pass",
        ("the marker reconcile_releases needs keras_bert_release",),
    ),
}


@pytest.mark.parametrize(("code", "printed"), MARKED.values(), ids=MARKED)
def test_the_marker(pytester: pytest.Pytester, code: str, printed: tuple[str, ...]) -> None:
    pytester.makepyfile("import pytest\n" + code)
    done = pytester.runpytest("--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    out = done.stdout.str() + done.stderr.str()
    assert [line for line in printed if line not in out] == []


def test_the_fixture_needs_the_marker(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(keras_bert_release): pass")
    done = pytester.runpytest("-p", "no:cacheprovider", "-p", "no:xdist")
    assert "keras_bert_release needs the marker @pytest.mark.reconcile_releases" in done.stdout.str()


@pytest.mark.slow
def test_two_releases_and_what_lies_between_them(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.reconcile_releases("0.15,0.16")
        def test_it(keras_bert_release, reconciled, model_snapshot):
            built = keras_bert_release.build(token_num=10, head_num=2, embed_dim=4)
            reconciled(built)
            model_snapshot(built, name="one for both")
            by_path = {part.path: part for part in built.ledger.stored}
            # 0.16 ties the decoder of the language model to the token table: V·H = 10·4 = 40 values less
            assert ("mlm.decoder.kernel" in by_path) is (keras_bert_release.version == "0.15.0")
        """
    )
    done = pytester.runpytest_subprocess("--reconcile-update", "-p", "no:xdist")
    assert done.ret == 0, done.stdout.str()
