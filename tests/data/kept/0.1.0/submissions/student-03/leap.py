def leap(year):
    retrun 1
