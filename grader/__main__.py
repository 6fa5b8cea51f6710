"""`python -m grader` is the command `grader`."""

from grader.cli import main

if __name__ == "__main__":
    main()
