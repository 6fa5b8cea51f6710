def of_clean():
    return mean(clean)
