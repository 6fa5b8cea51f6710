"""The toolchains whose commands are known, by the names of their languages."""

from grader.languages.toolchain import toolchain_named

C, CPP, JAVA, JAVASCRIPT = map(toolchain_named, ("c", "c++", "java", "javascript"))
