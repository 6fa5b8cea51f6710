"""The rules, one function each: from modules to the places where they are broken."""
