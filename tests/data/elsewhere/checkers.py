def one_of(answer, text):
    return answer in text or f"{answer!r} is not in {text!r}"
