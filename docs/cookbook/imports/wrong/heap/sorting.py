import heapq


def in_order(numbers):
    heap = list(numbers)
    heapq.heapify(heap)
    return [heapq.heappop(heap) for _ in numbers]
