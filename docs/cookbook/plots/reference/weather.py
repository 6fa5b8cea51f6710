import matplotlib.pyplot as plt


def draw(temperatures):
    days = range(1, len(temperatures) + 1)
    plt.plot(days, temperatures)
    plt.title("Temperatures")
    plt.xlabel("day")
    plt.ylabel("°C")
    plt.show()
