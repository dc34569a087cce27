"""Plain text of any markup -> equations and expressions as syntax trees with exact values, and other figures."""
