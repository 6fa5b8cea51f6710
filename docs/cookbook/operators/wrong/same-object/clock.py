class Clock:
    def __init__(self, hour, minute):
        self.minutes = (60 * hour + minute) % (24 * 60)

    def __add__(self, minutes):
        self.minutes = (self.minutes + minutes) % (24 * 60)
        return self

    def __str__(self):
        return f"{self.minutes // 60:02}:{self.minutes % 60:02}"


def alarms(first, every):
    found = []
    while True:
        found.append(first)
        first = first + every
        if len(found) > 9:
            return found


def earliest(clocks, key):
    return clocks[0]
