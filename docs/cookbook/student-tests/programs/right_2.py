def is_leap(year):
    if type(year) is not int:
        raise TypeError("not a year")
    if year % 100 == 0:
        year //= 100
    return not year % 4
