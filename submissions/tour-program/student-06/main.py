import sys

def moves(x, y, n, used):
    out = []
    for dx in (-2, -1, 1, 2):
        for dy in (-2, -1, 1, 2):
            if abs(dx) + abs(dy) == 3:
                if 0 <= x + dx < n and 0 <= y + dy < n:
                    if (x + dx, y + dy) not in used:
                        out.append((x + dx, y + dy))
    return out

print("size?")
n = int(sys.stdin.readline())
if n < 5:
    print("the size must be at least 5")
    sys.exit(1)
print("start?")
line = sys.stdin.readline().strip()
x, y = ord(line[0]) - ord('a'), int(line[1:])
if n % 2 == 1 and (x + y) % 2 == 1:
    print("it is not possible to start there")
    sys.exit(0)

used = {(x, y)}
path = [(x, y)]
todo = [sorted(moves(x, y, n, used), key=lambda s: len(moves(*s, n, used)))]
while len(path) < n * n:
    if todo[-1]:
        s = todo[-1].pop(0)
        used.add(s)
        path.append(s)
        todo.append(sorted(moves(*s, n, used), key=lambda s: len(moves(*s, n, used))))
    else:
        todo.pop()
        used.remove(path.pop())

numbers = {s: i + 1 for i, s in enumerate(path)}
w = len(str(n * n)) + 1
print('=' * (w * n))
for i in range(n):
    print(''.join(str(numbers[i, j]).rjust(w) for j in range(n)))
print('=' * (w * n))
