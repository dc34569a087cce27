"""Names that old releases of keras-bert expect and that today's TensorFlow and legacy Keras have elsewhere, or nowhere.

Only a process that does nothing but build one release installs them. What is asked for is noted down, and nothing that
is supplied changes what a layer computes or which weights it has.
"""

import contextlib
import importlib
import importlib.abc
import importlib.util
import sys
import types

# Attributes that modules once had: (module, attribute) -> where it is now, or what stands in for it here.
MOVED = {
    ("keras", "engine"): "supplied:engine",
    ("keras", "wrappers"): "supplied:empty",
    ("keras", "legacy"): "supplied:empty",
    ("keras.layers", "wrappers"): "keras.layers",
    ("keras.utils", "generic_utils"): "supplied:generic_utils",
    ("keras.backend", "identity"): "tensorflow:identity",
    ("keras.backend", "tf"): "tensorflow",
    ("tensorflow", "erf"): "tensorflow:math.erf",
    ("tensorflow", "sqrt"): "tensorflow:math.sqrt",
    ("tensorflow", "pow"): "tensorflow:math.pow",
    ("tensorflow", "matrix_band_part"): "tensorflow:linalg.band_part",
    ("tensorflow.python", "ops"): "tensorflow.python.framework.ops",
    ("tensorflow.python", "math_ops"): "tensorflow.python.ops.math_ops",
    ("tensorflow.python", "state_ops"): "tensorflow.python.ops.state_ops",
    ("tensorflow.python", "control_flow_ops"): "tensorflow.python.ops.control_flow_ops",
    ("collections", "Iterable"): "collections.abc:Iterable",
    ("collections", "Mapping"): "collections.abc:Mapping",
    ("collections", "Sequence"): "collections.abc:Sequence",
}

# Whole modules that were once there.
MODULES = {
    "distutils": "supplied:empty",
    "distutils.util": "supplied:distutils_util",
    "tensorflow.python.keras.optimizer_v2.optimizer_v2": "supplied:optimizer_v2",
    "tensorflow.python.keras.optimizer_v2": "supplied:empty",
}


class Adaptation(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Everything above, with the names that were asked for in `supplied`, in order."""

    def __init__(self, keras):
        self.keras = keras
        self.supplied = []

    def install(self):
        """Supply the names from now on in this process."""
        for name in [name for name in sys.modules if name == "keras" or name.startswith("keras.")]:
            if self.keras.__name__ != "keras":
                del sys.modules[name]
        sys.meta_path.insert(0, self)
        for (module, attribute), place in MOVED.items():
            self._supply(importlib.import_module(module), module, attribute, place)
        for module in (self.keras.optimizers, importlib.import_module("tensorflow").keras.optimizers):
            for name in ("Optimizer", "Adam"):
                module.__dict__.pop(name, None)
                self._supply(module, "keras.optimizers", name, "supplied:optimizer")
        adaptation = self

        def no_compile(model, *arguments, **named):
            adaptation._note("Model.compile, which does nothing")

        models = [self.keras.models.Model]
        # In a graph Keras puts its older Model in the place of the one that it is asked for.
        for name in (".src.engine.training_v1", ".engine.training_v1"):
            with contextlib.suppress(ImportError):
                models.append(importlib.import_module(self.keras.__name__ + name).Model)
        for model in models:
            model.compile = no_compile

    def find_spec(self, fullname, path=None, target=None):
        if self._place(fullname) is None or (fullname in MODULES and self._elsewhere(fullname, path)):
            return None
        return importlib.util.spec_from_loader(fullname, self, is_package=True)

    def _elsewhere(self, name, path):
        """Whether a module is still there."""
        others = (other for other in sys.meta_path if other is not self and hasattr(other, "find_spec"))
        return any(other.find_spec(name, path) is not None for other in others)

    def create_module(self, spec):
        module = self._found(self._place(spec.name))
        if spec.name == "keras" or not spec.name.startswith("keras"):
            self._note(spec.name)
        return Alias(spec.name, module)

    def exec_module(self, module):
        pass

    def _place(self, name):
        """Where a module that is imported by this name is to be found; None where it is found as ever."""
        if name in MODULES:
            return MODULES[name]
        own = self.keras.__name__
        if own != "keras" and (name == "keras" or name.startswith("keras.")):
            parent, _, last = name.rpartition(".")
            return MOVED.get((parent, last), own + name[len("keras") :])
        return None

    def _supply(self, module, shown, attribute, place):
        if attribute in module.__dict__:
            return
        before = module.__dict__.get("__getattr__")
        own = module.__dict__.setdefault("_supplied", {})
        own[attribute] = (shown, place)
        if len(own) > 1:
            return

        def found(name):
            if name not in own:
                if before is not None:
                    return before(name)
                raise AttributeError("module %r has no attribute %r" % (module.__name__, name))
            self._note("%s.%s" % (own[name][0], name))
            return self._found(own[name][1])

        module.__getattr__ = found

    def _found(self, place):
        module, _, path = place.partition(":")
        if module == "supplied":
            return getattr(self, "_" + path)()
        found = importlib.import_module(module)
        for name in filter(None, path.split(".")):
            found = getattr(found, name)
        return found

    def _note(self, name):
        if name not in self.supplied:
            self.supplied.append(name)

    def _empty(self):
        return types.ModuleType("empty")

    def _engine(self):
        engine = types.ModuleType("engine")
        for name in ("Layer", "InputSpec", "Input"):
            setattr(engine, name, getattr(self.keras.layers, name))
        engine.Model = self.keras.models.Model
        return engine

    def _generic_utils(self):
        module = types.ModuleType("generic_utils")
        for name in dir(self.keras.utils):
            setattr(module, name, getattr(self.keras.utils, name))
        module.has_arg = has_argument
        module.object_list_uid = lambda items: ", ".join(str(id(item)) for item in items)
        return module

    def _distutils_util(self):
        module = types.ModuleType("distutils.util")
        module.strtobool = lambda text: int(text.lower() in ("y", "yes", "t", "true", "on", "1"))
        return module

    def _optimizer_v2(self):
        module = types.ModuleType("optimizer_v2")
        module.OptimizerV2 = Optimizer
        return module

    def _optimizer(self):
        return Optimizer


class Alias(types.ModuleType):
    """A module under another name: whatever it is asked for is the other's."""

    def __init__(self, name, module):
        super().__init__(name)
        self.__dict__.update(_module=module, __path__=[])

    def __getattr__(self, name):
        return getattr(self._module, name)

    def __setattr__(self, name, value):
        if name.startswith("__"):
            self.__dict__[name] = value
        else:
            setattr(self._module, name, value)

    def __dir__(self):
        return dir(self._module)


class Optimizer:
    """Something to subclass and to make: nothing is ever trained."""

    def __init__(self, *arguments, **named):
        pass


def has_argument(function, name, accept_all=False):
    """Whether a function takes an argument of this name."""
    import inspect

    parameters = inspect.signature(function).parameters
    return name in parameters or (accept_all and any(one.kind is one.VAR_KEYWORD for one in parameters.values()))
