"""The command `reconcile check`: what it prints in each format, where findings point, and its exit status."""

import io
import json
import sys
from pathlib import Path

import pytest
from support import ROOT, command, run

from reconcile.sources import text as sources_text

WRONG = "# BERT base\n\nThe heads: 12 * 768 * 12 = 110M\nand BERT base has 110M parameters, all in all.\n"
RIGHT = "BERT base, uncased: 23,837,184 + 7,087,872·12 + 590,592 = 109,482,240 parameters\n"
NOTHING = "On 11 October 2018 it was 88.5%.\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "text.md"
    path.write_text(WRONG, "utf-8")
    return path


def test_text_has_a_line_for_each_claim_that_an_editor_can_jump_to(file: Path) -> None:
    ran = run("check", file)
    assert ran.status == 1
    assert ran.out.splitlines()[0].startswith("BERT base, uncased (named in the text: BERT base): A = 12")
    wrong, total, counts = ran.out.splitlines()[1:]
    assert wrong.startswith(f"{file}:3:12: arithmetic wrong: 12 * 768 * 12 = 110M: the left side comes to 110,592")
    assert total.startswith(f"{file}:4:19: holds as pretraining: 110M parameters: ")
    assert counts == f"{file}: 2 claims: 1 arithmetic wrong, 1 holds as"


def test_json_has_the_keys_that_are_fixed(file: Path) -> None:
    ran = run("check", file, "--format", "json")
    found = json.loads(ran.out)
    assert {"schema", "command", "claims", "findings"} <= set(found)
    assert (found["schema"], found["command"]) == (1, "check")
    keys = {"line", "column", "text", "value", "unit", "verdict", "expected", "difference", "explanation"}
    assert all(keys <= set(claim) for claim in found["claims"])
    wrong = found["claims"][0]
    # 110,000,000 − 12·768·12
    assert (wrong["value"], wrong["expected"], wrong["difference"]) == (110_000_000, 110_592, 109_889_408)
    (finding,) = found["findings"]
    assert (finding["kind"], finding["severity"], finding["line"], finding["column"]) == ("arithmetic", "error", 3, 12)
    assert finding["difference"] == 109_889_408


def test_markdown_has_a_table_and_no_path(file: Path) -> None:
    out = run("check", file, "--format", "markdown").out
    assert "| 3:12 | 12 \\* 768 \\* 12 = 110M | arithmetic wrong | +109,889,408 |" in out
    assert "- 3:12: the left side comes to 110,592" in out
    assert str(file) not in out


@pytest.mark.parametrize(
    ("text", "threshold", "status"),
    [(WRONG, "error", 1), (WRONG, "never", 0), (RIGHT, "note", 0), (NOTHING, "note", 0)],
)
def test_the_exit_status(tmp_path: Path, text: str, threshold: str, status: int) -> None:
    path = tmp_path / "text"
    path.write_text(text, "utf-8")
    assert run("check", path, "--fail-on", threshold).status == status


def test_a_figure_cut_off_and_not_rounded_is_a_note(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("12 × 7,087,872 = 85.0M\n", "utf-8")  # 85,054,464 is 85.1M
    assert run("check", path).status == 0
    ran = run("check", path, "--fail-on", "note", "--format", "json")
    assert ran.status == 1
    assert [finding["kind"] for finding in json.loads(ran.out)["findings"]] == ["cut-off"]


def test_what_is_not_read_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("1 " * 40_000, "utf-8")
    assert run("check", path).status == 0
    ran = run("check", path, "--fail-on", "warning")
    assert ran.status == 1
    assert "line 1 has 80,000 letters and was not read" in ran.out


def test_no_claims(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text(NOTHING, "utf-8")
    ran = run("check", path)
    assert (ran.status, ran.out) == (0, f"{path}: no figures of a model\n")
    assert json.loads(run("check", path, "--format", "json").out)["claims"] == []
    assert run("check", path, "--format", "markdown").out == "No figures of a model.\n"


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RIGHT.encode())))
    ran = run("check", "-")
    assert ran.status == 0
    assert "standard input:1:21: holds: 23,837,184 + " in ran.out


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_any_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "text"
    path.write_bytes(RIGHT.encode(encoding))
    (claim,) = json.loads(run("check", path, "--format", "json").out)["claims"]
    assert (claim["line"], claim["column"], claim["verdict"]) == (1, 21, "holds")


def test_the_model_is_given(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("The model has 109,482,240 parameters.\n", "utf-8")
    (claim,) = json.loads(run("check", path, "--format", "json").out)["claims"]
    assert (claim["verdict"], claim["definition"]) == ("holds", "backbone+pooler")
    ran = run("check", path, "--model", "bert-base-cased", "--format", "json")
    (claim,) = json.loads(ran.out)["claims"]
    assert (ran.status, claim["verdict"], claim["model"]) == (1, "mismatch", "bert-base-cased")
    assert run("check", path, "--model", ROOT / "models" / "bert-base-uncased.toml").status == 0


def test_a_configuration_can_be_the_model(tmp_path: Path) -> None:
    config = tmp_path / "bert_config.json"
    sizes = {"vocab_size": 21128, "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12}
    config.write_text(
        json.dumps(sizes | {"intermediate_size": 3072, "max_position_embeddings": 512, "type_vocab_size": 2})
    )
    path = tmp_path / "text"
    path.write_text("102,267,648 parameters\n")  # BERT base with 21,128 words
    assert run("check", path, "--model", config).status == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("no-such-file",), "no-such-file: got no such file"),
        ((str(ROOT),), "got a directory"),
        (("text", "--model", "no-such-model"), "no-such-model: got no such file"),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    (tmp_path / "text").write_text(RIGHT, "utf-8")
    arguments = tuple(str(tmp_path / "text") if argument == "text" else argument for argument in arguments)
    ran = run("check", *arguments)
    assert ran.status == 2
    assert says in ran.err
    assert ran.err.count("\n") == 1


def test_a_text_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources_text, "LARGEST", 1000)
    path = tmp_path / "text"
    path.write_text("1" * 1001, "utf-8")
    ran = run("check", path)
    assert ran.status == 2
    assert "got more than 1,000 bytes" in ran.err


def test_ascii(file: Path) -> None:
    out = run("check", file, "--ascii").out
    assert out.isascii()
    assert "12 * 768 * 12 = 110M" in out


def test_a_process_of_its_own_imports_no_framework(file: Path) -> None:
    program = (
        "import sys; sys.argv = ['reconcile', 'check', sys.argv[1]]\n"
        "from reconcile.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted(name for name in ('tensorflow', 'keras', 'h5py', 'numpy', 'tabulate') if name in sys.modules))"
    )
    import subprocess

    done = subprocess.run(
        [sys.executable, "-c", program, str(file)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert command("check", file).status == 1


def test_a_text_that_names_a_model_is_never_said_to_name_none() -> None:
    from reconcile.pipeline.check import check
    from reconcile.render.registry import rendered

    told = rendered(check("BERT base has 12 layers.\n\n- position embeddings: 512 × 768 = 393,126\n", "a text"), "text")
    assert "names none" not in told
    assert told.startswith(("no figure is held against a model: ", "BERT base, uncased"))


def test_a_text_is_read_in_the_encoding_that_it_has(tmp_path: Path) -> None:
    text = "bert-base-chinese 有 102,267,648 个参数"
    for encoding in ("utf-8", "utf-16", "utf-32", "gbk"):
        file = tmp_path / f"{encoding}.txt"
        file.write_bytes(text.encode(encoding))
        assert "1 claim: 1 holds" in run("check", file).out, encoding


def test_bytes_that_are_no_text_are_not_checked(tmp_path: Path) -> None:
    file = tmp_path / "model.bin"
    file.write_bytes(b"\x80\x02cos\nsystem\n(S'109482240'\ntR.")
    ran = run("check", file)
    assert (ran.status, ran.out) == (2, "")
    assert "character 2: got bytes that are not UTF-8, and '\\x02' among them, takes text" in ran.err
