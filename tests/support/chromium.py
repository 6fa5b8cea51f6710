"""A headless Chromium, spoken to over a pipe; only the parts that the page tests need.

Nothing listens on a port, and every start has an empty profile of its own.
"""

import base64
import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)


class Page:
    """One tab, driven by the DevTools protocol; `events` keeps what it reported."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to, self._from = to_browser, from_browser
        self._buffer = b""
        self._last_id = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def show(self, path: Path, *, width: int, height: int = 900, dark: bool = False) -> None:
        """Open a file in a window of this size and wait until it is loaded."""
        self.resize(width, height)
        self.emulate(dark=dark)
        self.open(path.resolve().as_uri())

    def open(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self.events.clear()
        self._call("Page.navigate", url=url)
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._receive()

    def resize(self, width: int, height: int = 900) -> None:
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        self._call("Emulation.setScrollbarsHidden", hidden=True)

    def emulate(self, *, dark: bool = False, media: str = "", **features: str) -> None:
        """Show the page as for this scheme and medium.  features: such as forced_colors="active"."""
        given = {"prefers_color_scheme": "dark" if dark else "light", **features}
        self._call(
            "Emulation.setEmulatedMedia",
            media=media,
            features=[{"name": name.replace("_", "-"), "value": value} for name, value in given.items()],
        )

    def scripts(self, allowed: bool) -> None:
        """Allow or forbid scripts of pages that are opened afterwards."""
        self._call("Emulation.setScriptExecutionDisabled", value=not allowed)

    def value(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, or of its promise, as JSON data."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Press and release a key such as `Tab`."""
        code = {"Tab": 9, "Enter": 13, "ArrowLeft": 37, "ArrowRight": 39}[key]
        text = {"text": "\r"} if key == "Enter" else {}  # without it, a button takes no notice
        for kind in ("keyDown", "keyUp"):
            self._call(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text
            )

    def screenshot(self, path: Path) -> None:
        """Write a PNG of the whole page, beyond the window too."""
        shot = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def pdf(self) -> bytes:
        """Return the page as it prints on A4, by its own `@page` rule where it has one."""
        size = {"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": True}
        printed: str = self._call("Page.printToPDF", **size)["data"]
        return base64.b64decode(printed)

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        self._last_id += 1
        message: dict[str, Any] = {"id": self._last_id, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data) :]
        while True:
            answer = self._receive()
            if answer.get("id") == self._last_id:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            piece = os.read(self._from, 1 << 16)
            assert piece, "the browser ended"
            self._buffer += piece
        head, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(head)
        if "method" in message:
            self.events.append(message)
        return message


@contextlib.contextmanager
def browser_page() -> Iterator[Page]:
    """Start a browser, yield its one page, and end it."""
    assert PROGRAM is not None
    commands_in, commands_out = os.pipe()
    answers_in, answers_out = os.pipe()
    # Out of the way of 3 and 4, where the browser expects them.
    read_end, write_end = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (commands_in, answers_out))
    os.close(commands_in)
    os.close(answers_out)

    def place() -> None:
        os.dup2(read_end, 3)
        os.dup2(write_end, 4)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [PROGRAM, *_FLAGS, f"--user-data-dir={profile}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=place,
            pass_fds=(3, 4),
        )
        os.close(read_end)
        os.close(write_end)
        try:
            yield Page(commands_out, answers_in)
        finally:
            os.close(commands_out)
            os.close(answers_in)
            process.terminate()
            process.wait(timeout=30)
