class NoTime(ValueError):
    pass


def minutes(text):
    try:
        hour, minute = map(int, text.split(":"))
    except ValueError:
        raise NoTime(text) from None
    if not (0 <= hour < 24 and 0 <= minute < 60):
        raise NoTime(text)
    return hour * 60 + minute
