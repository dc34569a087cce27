"""How fast and how small: both sides of each ratio, measured in one run. `make bench` prints them."""
