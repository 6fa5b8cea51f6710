def is_leap(year):
    if not isinstance(year, int):
        raise TypeError("a year is a whole number")
    return year % 4 == 0 and year % 100 != 0
