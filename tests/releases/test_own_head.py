"""A summary's own head, which no release of the library has, is set aside before releases are compared with it."""

from reconcile.inventory import Inventory, Layer
from reconcile.mapping.tensors import map_source
from reconcile.pipeline.release_questions import without_head

V, P, H, F = 1000, 40, 64, 256
ATTENTION, FEED_FORWARD, NORM = 4 * (H * H + H), 2 * H * F + F + H, 2 * H
MODEL = [
    ("Input-Token", "InputLayer", 0),
    ("Embedding-Token", "TokenEmbedding", V * H),
    ("Embedding-Segment", "Embedding", 2 * H),
    ("Embedding-Position", "PositionEmbedding", P * H),
    ("Embedding-Norm", "LayerNormalization", NORM),
    *(
        (f"Encoder-{block}-{name}", class_name, count)
        for block in (1, 2)
        for name, class_name, count in (
            ("MultiHeadSelfAttention", "MultiHeadAttention", ATTENTION),
            ("MultiHeadSelfAttention-Norm", "LayerNormalization", NORM),
            ("FeedForward", "FeedForward", FEED_FORWARD),
            ("FeedForward-Norm", "LayerNormalization", NORM),
        )
    ),
]
HEAD = [("lambda_1", "Lambda", 0), ("dropout_1", "Dropout", 0), ("dense_1", "Dense", 3 * H + 3)]


def summary(rows: list[tuple[str, str, int]]) -> Inventory:
    shapes = {"Lambda": f"(None, {H})", "Dropout": f"(None, {H})", "Dense": "(None, 3)"}
    layers = tuple(
        Layer(name, class_name, shapes.get(class_name, f"(None, {P}, {H})"), count) for name, class_name, count in rows
    )
    return Inventory("summary", layers, sum(count for _, _, count in rows))


def test_a_head_and_what_stands_before_it_without_parameters_are_set_aside() -> None:
    model, head = without_head(map_source(summary(MODEL + HEAD)))
    assert head == ("dense_1 (195)",)
    assert model.total == sum(count for _, _, count in MODEL)
    assert [layer.name for layer in model.layers] == [name for name, _, _ in MODEL]


def test_a_summary_without_a_head_is_as_it_was() -> None:
    whole = summary(MODEL)
    model, head = without_head(map_source(whole))
    assert head == ()
    assert (model.layers, model.total) == (whole.layers, whole.total)
