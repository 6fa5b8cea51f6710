from dataclasses import dataclass, field


@dataclass
class Alarm:
    outbox: object
    clock: object
    hours: list = field(default_factory=list)
    unsent: list = field(default_factory=list)

    def measured(self, degrees):
        if degrees >= 80:
            self.hours += [self.clock.hour()]
            self.unsent += [f"too hot: {degrees}"]
            self.outbox.send(self.unsent[-1])
            self.unsent.pop()
