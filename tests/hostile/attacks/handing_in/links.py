"""Links to another student's work, to its folder, to the reference and to itself.

Must not: be followed.
Handed in by: hand_in
Verdicts: any
"""

def hand_in(batch, places):
    targets = (places["other"], places["reference"] + "/work.py", "work.py", "../student-01/work.py", "/etc/passwd")
    for number, target in enumerate(targets):
        folder = batch / f"links-{number}"
        folder.mkdir()
        (folder / "work.py").symlink_to(target)
    (batch / "links-folder").symlink_to(batch / "student-01")
    (batch / "links-batch").symlink_to(batch)
