"""The one judge: what a reading of observations earns and pays in bits, and what may be stated because of it."""
