class Alarm:
    def __init__(self, outbox, clock):
        self.outbox = outbox
        self.clock = clock
        self.hours = []
        self.unsent = []

    def measured(self, degrees):
        if degrees < 80:
            return
        self.hours.append(self.clock.hour())
        text = f"too hot: {degrees}"
        try:
            self.outbox.send(text)
        except ConnectionError:
            self.unsent.append(text)
            raise
