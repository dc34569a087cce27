"""Step 6: tables of rules, each of which says of a statement that it holds, or is wrong and why; and then the words."""
