def judge(answer):
    return None
