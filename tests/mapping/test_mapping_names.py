"""Which of its names an array is read by."""

from implementation_lists import LISTS, read_list

from reconcile.inventory import Inventory, Layer, Tensor
from reconcile.mapping.tensors import map_source


def test_an_array_of_a_module_itself_is_read_by_its_own_path() -> None:
    """The output bias of a live model belongs to a module that has other modules: its path is no name in that."""
    listed = read_list(LISTS / "huggingface.BertForMaskedLM-untied.tsv")
    layers = [
        Layer(
            one.path.rpartition(".")[0],
            "Module",
            "",
            one.size,
            tensors=(Tensor(one.path, one.shape, "", True, one.path),),
        )
        for layer in listed.layers
        for one in layer.tensors
    ]
    ledger = map_source(
        Inventory("live", tuple(layers), None, tells_ties=True, settings={"tie_word_embeddings": False})
    )
    paths = {part.path for part in ledger.assignments}
    assert {"mlm.decoder.bias", "mlm.second_bias"} <= paths
    assert not [path for path in paths if path.startswith("task.")]
