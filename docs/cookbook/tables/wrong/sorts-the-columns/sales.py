def known(sales):
    return sales.dropna()[["price", "city"]]


def means(sales):
    return sales.groupby("city")["price"].mean()
