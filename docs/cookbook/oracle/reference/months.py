from calendar import monthrange


def days(year, month):
    return monthrange(year, month)[1]


def is_long(year, month):
    return days(year, month) == 31
