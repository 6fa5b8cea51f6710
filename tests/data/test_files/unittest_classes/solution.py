class Interval:
    def __init__(self, start, end, *, is_open=False):
        if start > end:
            raise ValueError("start after end")
        self.start, self.end, self.is_open = start, end, is_open

    def __contains__(self, value):
        return self.start < value < self.end if self.is_open else self.start <= value <= self.end

    def __len__(self):
        return max(self.end - self.start + (-1 if self.is_open else 1), 0)

    def label(self):
        return f"({self.start}..{self.end})" if self.is_open else f"[{self.start}..{self.end}]"


def cover(intervals):
    return Interval(min(each.start for each in intervals), max(each.end for each in intervals))
