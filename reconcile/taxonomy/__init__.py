"""Architectures: the tree of canonical components with their formulas and their words, from `architectures/*.toml`."""

from reconcile.taxonomy.architecture import Architecture, Repetition, View
from reconcile.taxonomy.component import Component, block_of, common_path, node_of, template
from reconcile.taxonomy.lexicon import Label, Lexicon
from reconcile.taxonomy.loading import architecture_names, classes_of_wholes, load_architecture, usual_architecture

__all__ = [
    "Architecture",
    "Component",
    "Label",
    "Lexicon",
    "Repetition",
    "View",
    "architecture_names",
    "block_of",
    "classes_of_wholes",
    "common_path",
    "load_architecture",
    "node_of",
    "template",
    "usual_architecture",
]
