"""How a mark adds up."""
