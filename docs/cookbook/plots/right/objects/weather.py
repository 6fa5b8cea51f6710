import matplotlib.pyplot as plt


def draw(temperatures):
    figure, axes = plt.subplots(figsize=(8, 3))
    axes.plot([day + 1 for day, _ in enumerate(temperatures)], temperatures, "ro-", label="Bern")
    axes.set(title="Temperatures", xlabel="day", ylabel="°C")
    axes.legend()
    figure.savefig("weather.png")
    return figure
