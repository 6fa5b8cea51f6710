"""The expectations of a case: answers, printed texts, files, plots, and the picture that is drawn."""
