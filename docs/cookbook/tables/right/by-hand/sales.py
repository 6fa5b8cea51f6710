import pandas as pd


def known(sales):
    rows = [row for row in sales.to_dict("records") if not pd.isna(row["price"])]
    return pd.DataFrame(rows, columns=["city", "price"])


def means(sales):
    prices = {}
    for row in known(sales).to_dict("records"):
        prices.setdefault(row["city"], []).append(row["price"])
    return pd.Series({city: sum(found) / len(found) for city, found in prices.items()}, name="price")
