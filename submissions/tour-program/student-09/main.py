def main()
    size = int(input("size: "))
    start = input("start: ")
    print("-" * size)

main()
