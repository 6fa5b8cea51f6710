while True:
    try:
        celsius = float(input("Celsius? "))
        break
    except ValueError:
        print("That is no number.")
print(f"{celsius} C are {celsius * 9 / 5 + 32:.2f} F")
