"""The languages besides Python in which programs may be handed in, a module each; read `language` first."""
