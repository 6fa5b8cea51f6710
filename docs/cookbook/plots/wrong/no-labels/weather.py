import matplotlib.pyplot as plt


def draw(temperatures):
    plt.plot(temperatures)
    plt.title("Temperatures")
    plt.show()
