from dataclasses import dataclass

DAY = 24 * 60


@dataclass(init=False)
class Clock:
    minutes: int

    def __init__(self, hour, minute):
        self.minutes = (60 * hour + minute) % DAY

    def __add__(self, minutes):
        return Clock(0, self.minutes + minutes)

    def __str__(self):
        hour, minute = divmod(self.minutes, 60)
        return f"{hour:02d}:{minute:02d}"


class alarms:
    def __init__(self, first, every):
        self.next, self.every = first, every

    def __iter__(self):
        return self

    def __next__(self):
        self.next, now = self.next + self.every, self.next
        return now


def earliest(clocks, key):
    return sorted(clocks, key=key)[0]
