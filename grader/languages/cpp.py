"""C++, built by g++ as C is by gcc."""

from grader.languages.c import C


class Cpp(C):
    """C++."""

    name = "c++"
    title = "C++"
    endings = (".cpp", ".cc", ".cxx", ".c++")
    exact_endings = (".C",)
    headers = (".h", ".hh", ".hpp", ".hxx", ".ipp", ".tpp")
    tools = ("g++",)
    trial = "#include <iostream>\nint main() { std::cout << std::flush; }\n"
    standard = ("c++", "gnu++17")


LANGUAGE = Cpp()
