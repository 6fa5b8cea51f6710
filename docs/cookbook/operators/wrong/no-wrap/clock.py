class Clock:
    def __init__(self, hour, minute):
        self.minutes = 60 * hour + minute

    def __add__(self, minutes):
        return Clock(0, self.minutes + minutes)

    def __eq__(self, other):
        return self.minutes == other.minutes

    def __str__(self):
        return f"{self.minutes // 60:02}:{self.minutes % 60:02}"


def alarms(first, every):
    while first.minutes < 24 * 60:
        yield first
        first = first + every


def earliest(clocks, key):
    return min(clocks, key=key)
