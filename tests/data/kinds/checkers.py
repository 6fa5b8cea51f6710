def even(answer, of):
    return answer == 2 * of
