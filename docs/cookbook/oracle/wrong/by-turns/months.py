def days(year, month):
    if month == 2:
        return 28 + (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    return 31 if month % 2 else 30


def is_long(year, month):
    return days(year, month) == 31
