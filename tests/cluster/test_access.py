"""Reaching a cluster: what is said where there is none, or TLS lacks something."""

import shutil
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from support.command_line import BATCH, SPEC, found_first, grader, only_error

ONE = (SPEC, BATCH / "student-01")


def test_no_scheduler_is_told_at_once(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        done = grader("mark", *ONE, "-o", tmp_path, "--cluster", address)
    assert done.returncode == 2
    assert f"there is no Dask scheduler at {address}" in only_error(done)
    assert not (tmp_path / "run.sqlite").exists()


@pytest.mark.parametrize("words", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9.2p1\r\n"])
def test_something_else_that_answers_there_is_no_scheduler(tmp_path: Path, words: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=_say_to_all, args=(server, words), daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        done = grader("mark", *ONE, "-o", tmp_path, "--cluster", address)
    assert done.returncode == 2
    assert f"there is no Dask scheduler at {address}" in only_error(done)


def _say_to_all(server: socket.socket, words: bytes) -> None:
    with suppress(OSError):
        while True:
            caller, _ = server.accept()
            with caller:
                caller.sendall(words)
                caller.recv(1 << 16)


def test_a_port_that_cannot_be_is_told(tmp_path: Path) -> None:
    done = grader("mark", *ONE, "-o", tmp_path, "--cluster", "tcp://127.0.0.1:99999")
    assert done.returncode == 2
    assert "there is no Dask scheduler at tcp://127.0.0.1:99999" in only_error(done)


def test_without_dask_what_to_install_is_told(tmp_path: Path) -> None:
    stub = tmp_path / "stub" / "distributed"
    stub.mkdir(parents=True)
    missing = "raise ModuleNotFoundError(\"No module named 'distributed'\", name='distributed')\n"
    (stub / "__init__.py").write_text(missing)
    address = "tcp://127.0.0.1:1"
    done = grader(
        "mark", *ONE, "-o", tmp_path / "out", "--cluster", address, PYTHONPATH=found_first(stub.parent)
    )
    assert done.returncode == 2
    assert "a cluster needs distributed, which is not installed" in only_error(done)
    assert "pip install 'grader-harness[cluster]'" in done.stderr


def test_options_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    alone = grader("mark", *ONE, "-o", tmp_path, "--tls-ca-file", SPEC)
    assert alone.returncode == 2
    assert "--tls-ca-file goes with --cluster alone" in only_error(alone)
    jobs = grader("mark", *ONE, "-o", tmp_path, "--cluster", "tcp://127.0.0.1:1", "-j", "2")
    assert jobs.returncode == 2
    assert "--jobs is about this machine" in only_error(jobs)
    plain = grader("mark", *ONE, "-o", tmp_path, "--cluster", "tcp://127.0.0.1:1", "--tls-ca-file", SPEC)
    assert plain.returncode == 2
    assert "TLS needs an address that begins with tls://" in only_error(plain)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates with openssl")
def test_certificates_that_cannot_be_used_are_told_before_anybody_is_asked(tmp_path: Path) -> None:
    certificate, key = str(tmp_path / "certificate.pem"), str(tmp_path / "key.pem")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-days", "2", "-subj", "/CN=test"]
    secret = ["-passout", "pass:secret", "-keyout", key, "-out", certificate]
    subprocess.run([*command, *secret], check=True, capture_output=True)
    cluster = ("--cluster", "tls://127.0.0.1:1")
    ca, own = ("--tls-ca-file", certificate), ("--tls-cert", certificate)
    for given, told in (
        (ca, "--tls-ca-file and --tls-cert are both needed"),
        (own, "--tls-ca-file and --tls-cert are both needed"),
        ((*ca, *own, "--tls-key", key), f"{key}: the key for TLS has a pass phrase"),
        ((*ca, *own), "the files for TLS can't be used"),
    ):
        done = grader("mark", *ONE, "-o", tmp_path / "out", *cluster, *given)
        assert done.returncode == 2
        assert told in only_error(done)
