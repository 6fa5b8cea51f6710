import check50


@check50.check()
def exists():
    """hello.py exists"""
    check50.exists("hello.py")


@check50.check(exists)
def greets():
    """asks for a name and greets"""
    check50.run("python3 hello.py").stdin("Ada").stdout("Hello, Ada").exit(0)


@check50.check(greets)
@check50.hidden("another name")
def pattern():
    """greets anybody"""
    check50.run("python3 hello.py --loud").stdin("Bo", prompt=False).stdout(r"HELLO,? BO!+", "HELLO BO!").exit()


@check50.check(exists)
def rejects():
    """asks again for nothing"""
    check50.run("python3 hello.py").stdin("").reject()


@check50.check(exists)
def by_code():
    """does not shout"""
    output = check50.run("python3 hello.py").stdin("Ada").stdout()
    if output.isupper():
        raise check50.Failure("it shouts")
