import time


class Alarm:
    def __init__(self, outbox, clock):
        self.outbox = outbox
        self.hours = []
        self.unsent = []

    def measured(self, degrees):
        if degrees >= 80:
            self.hours.append(time.localtime().tm_year)
            text = f"too hot: {degrees}"
            try:
                self.outbox.send(text)
            except ConnectionError:
                self.unsent.append(text)
                raise
