def minutes(text):
    hour, _, minute = text.partition(":")
    if not (hour.isdigit() and int(hour) < 24):
        raise ValueError(f"no hour: {hour}")
    if not (minute.isdigit() and int(minute) < 60):
        raise ValueError(f"no minute: {minute}")
    return int(hour) * 60 + int(minute)
