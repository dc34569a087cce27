"""Claims: text becomes figures and equations with their places, and each of them gets a verdict. No input or output."""
