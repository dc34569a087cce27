"""HDF5 as Keras 3 writes it: a group for each layer, named after its class, with `vars/0`, `vars/1`, ... in it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from reconcile.frozen import dataclass
from reconcile.inventory import BUFFER, OPTIMIZER, PARAMETER, Layer, Tensor
from reconcile.sources.checkpoints.hdf5_tree import Dataset, Tree
from reconcile.sources.checkpoints.keras_config import NOTHING, LayerConfig
from reconcile.sources.checkpoints.keras_rows import row
from reconcile.sources.checkpoints.keras_variables import class_of, inner_class, snake, variable_names

CONTAINERS = ("layers", "_layer_checkpoint_dependencies")
"""The group of a model's layers; the second name is what tf-keras and the first releases of Keras 3 write."""
ROLES = {"optimizer": OPTIMIZER, "metrics": BUFFER, "compile_metrics": BUFFER, "loss_tracker": BUFFER}
"""What a model has beside layers, by its group without leading underscores."""
SEEDS = "seed_generator"


def has_groups(tree: Tree) -> bool:
    """Whether a file is written in this way."""
    return any(path.rpartition("/")[0].rpartition("/")[2] == "vars" for path in tree.datasets)


def grouped_layers(tree: Tree, model: LayerConfig | None) -> tuple[Layer, ...]:
    """The layers of a file, in the order of its model's configuration where there is one.

    A tensor is named as Keras names it, `layer/part/kernel`, as far as configuration, names in the file and classes
    make that certain; otherwise by its path in the file.
    """
    rows = list(_Groups(tree, _named(tree)).model("", model or NOTHING, -1))
    often = Counter(tensor.path for layer in rows for tensor in layer.tensors or ())
    return tuple(
        replace(
            layer,
            tensors=tuple(
                tensor if often[tensor.path] == 1 else replace(tensor, path=_qualified(tensor))
                for tensor in layer.tensors or ()
            ),
        )
        for layer in rows
    )


@dataclass(frozen=True, slots=True)
class _Groups:
    tree: Tree
    named: bool
    """Whether the file keeps names."""

    def model(self, group: str, node: LayerConfig, depth: int) -> Iterator[Layer]:
        """The rows of a model: its own, those of its layers, and at the top what it has beside them."""
        container = next((name for name in CONTAINERS if f"{_under(group, name)}" in self.tree.groups), None)
        own = self.own(group, node.name or self.said(group) or group, node.class_name, node.config)
        if depth >= 0 or own:
            yield row(replace(node, name=node.name or "model"), own, max(depth, 0))
        inside = _under(group, container) if container else ""
        if container or node.layers:
            yield from self.members(inside, node, depth + 1)
        for name in self.tree.children(group):
            if name not in CONTAINERS and name != "vars":
                yield from self.beside(_under(group, name), name, depth + 1)

    def members(self, inside: str, node: LayerConfig, depth: int) -> Iterator[Layer]:
        """The layers of a model: by its configuration as Keras counts their classes, then those it does not have."""
        left = dict.fromkeys(self.tree.children(inside)) if inside else {}
        counts: Counter[str] = Counter()
        for layer in node.layers or ():
            if layer.is_operation:
                yield row(layer, (), depth)
                continue
            stem = snake(layer.class_name)
            name = f"{stem}_{counts[stem]}" if counts[stem] else stem
            counts[stem] += 1
            if name in left:
                del left[name]
                yield from self.layer(_under(inside, name), layer, depth)
            elif layer.layers is not None:
                yield from self.model("\0", layer, depth)
            else:
                yield row(layer, (), depth)
        for name in left:
            found = replace(NOTHING, name=self.said(_under(inside, name)) or name, class_name=class_of(name))
            yield from self.layer(_under(inside, name), found, depth)

    def layer(self, group: str, node: LayerConfig, depth: int) -> Iterator[Layer]:
        """The row of a layer with all that is below its group, or those of a model in the model."""
        if node.layers is not None or f"{group}/layers/input_layer" in self.tree.groups:
            yield from self.model(group, node, depth)
        else:
            yield row(node, self.all(group, node.name, node.class_name, node.config, PARAMETER), depth)

    def beside(self, group: str, name: str, depth: int) -> Iterator[Layer]:
        """An attribute of a model beside its list of layers: an optimizer, a metric, or a layer of a subclass."""
        role = ROLES.get(name.lstrip("_"), PARAMETER)
        if role != PARAMETER:
            tensors = tuple(found.tensor(found.path, False, role) for found in self.tree.below(group))
        else:
            said = self.said(group) or name
            tensors = tuple(self.all(group, said, class_of(name), {}, PARAMETER))
            name = said
        if tensors:
            yield row(replace(NOTHING, name=name), tensors, max(depth, 0))

    def all(self, group: str, name: str, class_name: str, config: Mapping[str, Any], role: str) -> Iterator[Tensor]:
        """The tensors of a layer and of every part inside, named below `name`."""
        yield from self.own(group, name, class_name, config, role)
        for part in self.tree.children(group):
            if part == "vars":
                continue
            inner = _under(group, part)
            kind, settings, known = inner_class(class_name, config, part)
            said = self.said(inner) if self.named else known or part
            below = BUFFER if part.startswith(SEEDS) else role
            path = f"{name}/{said}" if said else name
            yield from self.all(inner, path, kind or class_of(said if part == "cell" else part), settings, below)

    def own(
        self, group: str, name: str, class_name: str, config: Mapping[str, Any], role: str = PARAMETER
    ) -> tuple[Tensor, ...]:
        """The variables of a group itself, `name/kernel`, or `name/vars/0` where their names are not certain."""
        found = [one for one in self.tree.below(_under(group, "vars")) if one.path.count("/") == _depth(group) + 1]
        names = variable_names(class_name, config, len(found)) or tuple(_number(one) for one in found)
        return tuple(one.tensor(f"{name}/{last}", None, role) for one, last in zip(found, names, strict=True))

    def said(self, group: str) -> str:
        """The name that newer releases of Keras keep beside a group's variables; empty where there is none."""
        name = self.tree.groups.get(_under(group, "vars"), {}).get("name", "")
        return name if isinstance(name, str) else ""


def _named(tree: Tree) -> bool:
    """Whether a file keeps the layers' own names beside their variables."""
    return any("name" in attributes for attributes in tree.groups.values())


def _qualified(tensor: Tensor) -> str:
    """A name that is its own: the path of its group in the file, with the name of the variable where that is known."""
    group, _, number = tensor.storage.rpartition("/vars/")
    return tensor.storage if tensor.path.endswith(f"/vars/{number}") else f"{group}/{tensor.path.rpartition('/')[2]}"


def _under(group: str, name: str) -> str:
    return f"{group}/{name}" if group else name


def _depth(group: str) -> int:
    """How many slashes the path of a dataset right below `group` has."""
    return group.count("/") + 1 if group else 0


def _number(found: Dataset) -> str:
    return "/".join(found.path.rsplit("/", 2)[1:])
