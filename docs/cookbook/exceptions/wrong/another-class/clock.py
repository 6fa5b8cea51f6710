def minutes(text):
    hour, minute = map(int, text.split(":"))
    assert hour < 24 and minute < 60, "no such time"
    return hour * 60 + minute
