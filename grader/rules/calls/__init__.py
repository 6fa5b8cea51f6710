"""Which functions of a submission call which, as far as names show it."""
