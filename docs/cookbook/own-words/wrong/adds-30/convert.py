celsius = float(input("Celsius? "))
print(f"{celsius} C are {celsius * 2 + 30:.2f} F")
