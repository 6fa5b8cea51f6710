def minutes(text):
    hour, minute = text.split(":")
    if int(hour) >= 24 or int(minute) >= 60:
        return None
    return int(hour) * 60 + int(minute)
