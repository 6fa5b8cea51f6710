def known(sales):
    return sales.dropna()


def means(sales):
    return sales.groupby("city")["price"].mean()
