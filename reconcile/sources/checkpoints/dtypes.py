"""What each format calls its types, by NumPy's names for them, and how many bytes their values take."""

from typing import NamedTuple

from reconcile.inventory import BUFFER, PARAMETER

BITS = {
    "bool": 8, "int8": 8, "int16": 16, "int32": 32, "int64": 64,
    "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64,
    "float16": 16, "bfloat16": 16, "float32": 32, "float64": 64, "float128": 128,
    "complex32": 32, "complex64": 64, "complex128": 128, "complex256": 256,
    "float8_e4m3fn": 8, "float8_e4m3fnuz": 8, "float8_e5m2": 8, "float8_e5m2fnuz": 8, "float8_e8m0fnu": 8,
    "float6_e2m3fn": 6, "float6_e3m2fn": 6, "float4_e2m1fn": 4, "float4_e2m1fn_x2": 8,
    "qint8": 8, "quint8": 8, "qint32": 32, "quint4x2": 8, "quint2x4": 8,
    "bits8": 8, "bits16": 16, "bits1x8": 8, "bits2x4": 8, "bits4x2": 8,
}  # fmt: skip
"""Bits of one value. PyTorch's packed types (`quint4x2`, `float4_e2m1fn_x2`) count the bytes they are packed in."""

SAFETENSORS = {
    "BOOL": "bool", "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64",
    "U8": "uint8", "U16": "uint16", "U32": "uint32", "U64": "uint64",
    "F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64", "C64": "complex64",
    "F8_E4M3": "float8_e4m3fn", "F8_E4M3FNUZ": "float8_e4m3fnuz", "F8_E5M2": "float8_e5m2",
    "F8_E5M2FNUZ": "float8_e5m2fnuz", "F8_E8M0": "float8_e8m0fnu",
    "F6_E2M3": "float6_e2m3fn", "F6_E3M2": "float6_e3m2fn", "F4": "float4_e2m1fn",
}  # fmt: skip

STORAGES = {
    "BoolStorage": "bool", "CharStorage": "int8", "ShortStorage": "int16", "IntStorage": "int32",
    "LongStorage": "int64", "ByteStorage": "uint8", "HalfStorage": "float16", "BFloat16Storage": "bfloat16",
    "FloatStorage": "float32", "DoubleStorage": "float64", "ComplexFloatStorage": "complex64",
    "ComplexDoubleStorage": "complex128", "QInt8Storage": "qint8", "QUInt8Storage": "quint8",
    "QInt32Storage": "qint32", "QUInt4x2Storage": "quint4x2", "QUInt2x4Storage": "quint2x4",
    "UntypedStorage": "uint8",
}  # fmt: skip
"""PyTorch's storage classes; the untyped one counts bytes, and the tensor says what they are."""

NUMPY = {
    "b1": "bool", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64",
    "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64",
    "f2": "float16", "f4": "float32", "f8": "float64", "f16": "float128",
    "c8": "complex64", "c16": "complex128", "c32": "complex256",
}  # fmt: skip
"""The type codes in a NumPy header, without their byte order."""


TENSORFLOW = {
    1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 7: "string", 8: "complex64",
    9: "int64", 10: "bool", 11: "qint8", 12: "quint8", 13: "qint32", 14: "bfloat16", 15: "qint16", 16: "quint16",
    17: "uint16", 18: "complex128", 19: "float16", 20: "resource", 21: "variant", 22: "uint32", 23: "uint64",
    24: "float8_e5m2", 25: "float8_e4m3fn", 26: "float8_e4m3fnuz", 27: "float8_e4m3b11fnuz", 28: "float8_e5m2fnuz",
    29: "int4", 30: "uint4", 31: "int2", 32: "uint2", 33: "float4_e2m1fn",
}  # fmt: skip
"""TensorFlow's type numbers (`DataType` in tensorflow/core/framework/types.proto)."""


class Block(NamedTuple):
    """A GGUF type: so many values are stored together in so many bytes."""

    dtype: str
    values: int
    nbytes: int


GGUF = {
    0: Block("float32", 1, 4), 1: Block("float16", 1, 2), 28: Block("float64", 1, 8), 30: Block("bfloat16", 1, 2),
    24: Block("int8", 1, 1), 25: Block("int16", 1, 2), 26: Block("int32", 1, 4), 27: Block("int64", 1, 8),
    # A scale of two bytes for 32 values, with or without a minimum, and the values' own bits.
    2: Block("Q4_0", 32, 18), 3: Block("Q4_1", 32, 20), 6: Block("Q5_0", 32, 22), 7: Block("Q5_1", 32, 24),
    8: Block("Q8_0", 32, 34), 9: Block("Q8_1", 32, 40),
    # 256 values in smaller groups, each with a scale of its own.
    10: Block("Q2_K", 256, 84), 11: Block("Q3_K", 256, 110), 12: Block("Q4_K", 256, 144),
    13: Block("Q5_K", 256, 176), 14: Block("Q6_K", 256, 210), 15: Block("Q8_K", 256, 292),
    16: Block("IQ2_XXS", 256, 66), 17: Block("IQ2_XS", 256, 74), 18: Block("IQ3_XXS", 256, 98),
    19: Block("IQ1_S", 256, 50), 20: Block("IQ4_NL", 32, 18), 21: Block("IQ3_S", 256, 110),
    22: Block("IQ2_S", 256, 82), 23: Block("IQ4_XS", 256, 136), 29: Block("IQ1_M", 256, 56),
    34: Block("TQ1_0", 256, 54), 35: Block("TQ2_0", 256, 66),
    39: Block("MXFP4", 32, 17), 40: Block("NVFP4", 64, 36), 41: Block("Q1_0", 128, 18),
}  # fmt: skip
"""GGUF's type numbers (ggml's `ggml_type`); those that are missing were withdrawn and stand in no file."""


def bytes_of(dtype: str, count: int) -> int:
    """The bytes that `count` values of a type take, those of less than a byte packed."""
    return -(-count * BITS[dtype] // 8)


_BUFFERS = ("running_mean", "running_var", "num_batches_tracked", "inv_freq", "position_ids")
"""What PyTorch's own layers and Hugging Face's register as buffers, by the last part of their names."""


def role_of(dtype: str, path: str = "") -> str:
    """A buffer where the type says so, or PyTorch's name: nothing that is trained or quantised is a 64-bit integer."""
    is_buffer = dtype in ("int64", "uint64", "bool") or path.rpartition(".")[2] in _BUFFERS
    return BUFFER if is_buffer else PARAMETER
