"""Scales that stand over a column and not at its figures, in tables with bars and of plain text."""

import pytest

from reconcile.pipeline.check import check

MODELS = {
    "bert-base-uncased": 109_482_240,
    "roberta-base": 124_645_632,
    "distilbert-base-uncased": 66_362_880,
    "xlm-roberta-base": 278_043_648,
}
MILLIONS = [
    *("Params [M]", "Params (M)", "#Params, M", "Params M", "M params", "Mparams", "#params (millions)", "Size (M)"),
    *("Parameter (Mio.)", "Parameter in Millionen", "paramètres (M)", "parámetros (M)", "Parámetros (millones)"),
    *("参数量(M)", "参数量/M", "参数量（M）", "参数(百万)", "パラメータ数 (M)", "パラメータ数（百万）", "파라미터(M)"),
    *("parameters, millions", "Params (in millions)", "# of parameters (M)", "파라미터 수 (백만)"),
]
MEGABYTES = [
    *("MB", "Size MB", "MB (fp32)", "fp32 MB", "size in MB", "Size/MB", "Size [MB]", "disk (MB, fp32)", "MB on disk"),
    *("Größe in MB", "taille (Mo)", "Taille en Mo", "tamaño (MB)", "大小 MB", "大小（MB）", "サイズ(MB)", "크기(MB)"),
]
HUNDRED_MILLIONS = ["参数量(亿)", "参数量（亿）", "参数量/亿", "パラメータ数(億)", "파라미터(억)"]


def bars(head: str, figures: list[str]) -> str:
    rows = "".join(f"| {name} | {figure} |\n" for name, figure in zip(MODELS, figures, strict=True))
    return f"Some encoders:\n\n| model | {head} |\n|---|--:|\n{rows}"


def blanks(head: str, figures: list[str]) -> str:
    rows = "".join(
        f"{name:<27}{width:>5}   {figure:>12}\n"
        for name, width, figure in zip(MODELS, (768, 768, 768, 768), figures, strict=True)
    )
    return f"Some encoders:\n\n{'model':<27}width   {head:>12}\n{rows}"


def two_columns(head: str, figures: list[str]) -> str:
    rows = "".join(f"{name:<27}{figure:>12}\n" for name, figure in zip(MODELS, figures, strict=True))
    return f"Some encoders:\n\n{'model':<27}{head:>12}\n{rows}"


def verdicts(text: str) -> list[str]:
    return [claim.verdict for claim in check(text, "text").claims if claim.value != 768]


@pytest.mark.parametrize("table", [bars, blanks])
@pytest.mark.parametrize(
    ("head", "scale", "digits", "wrong"),
    [*((head, 10**6, 1, "355.4") for head in MILLIONS), *((head, 10**8, 2, "3.55") for head in HUNDRED_MILLIONS)],
)
def test_a_scale_over_a_column_is_that_of_its_figures(  # type: ignore[no-untyped-def]
    table, head: str, scale: int, digits: int, wrong: str
) -> None:
    right = [f"{count / scale:.{digits}f}" for count in MODELS.values()]
    assert [verdict.split()[0] for verdict in verdicts(table(head, right))] == ["holds"] * 4
    assert "mismatch" in verdicts(table(head, [right[0], wrong, *right[2:]]))


@pytest.mark.parametrize("table", [bars, blanks, two_columns])
@pytest.mark.parametrize("head", MEGABYTES)
def test_megabytes_over_a_column_are_bytes(table, head: str) -> None:  # type: ignore[no-untyped-def]
    right = [f"{4 * count / 1e6:.1f}" for count in MODELS.values()]
    assert verdicts(table(head, right)) == ["holds as"] * 4


@pytest.mark.parametrize("table", [bars, blanks])
def test_bytes_at_the_precision_over_them_are_held_against_it(table) -> None:  # type: ignore[no-untyped-def]
    figures = [f"{4 * count / 1e6:.1f}" for count in MODELS.values()]
    assert verdicts(table("fp32 (MB)", [figures[0], "4985.8", *figures[2:]])).count("mismatch") == 1


def test_a_vocabulary_in_thousands_is_none_of_so_few_words() -> None:
    rows = "| `rubert-tiny` | 11.8 | **30** | 46 |\n| bert-base-multilingual-cased | 177.9 | 120 | 712 |\n"
    table = f"| model | # params, M | # vocab, K | MB |\n|---|---|---|---|\n{rows}"
    assert not {"mismatch", "does not add up"} & set(verdicts(table))


def test_two_words_over_one_line_are_no_heads() -> None:
    text = "one attention        the other\nquery                  589,824\n\nBERT base has 109,482,240 parameters.\n"
    assert [claim.verdict for claim in check(text, "text").claims if claim.value == 109_482_240] == ["holds"]
