class Alarm:
    def __init__(self, outbox, clock):
        self.outbox = outbox
        self.clock = clock
        self.hours = []
        self.unsent = []

    def measured(self, degrees):
        self.hours.append(self.clock.hour())
        self.outbox.send(f"too hot: {degrees}")
