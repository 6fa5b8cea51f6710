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
_PATIENCE_S = 120
"""No page takes so long for anything; a test that waits for what never comes says so then."""
_LOOK_MS = 20

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
        self._load("Page.navigate", url=url)

    def reload(self) -> None:
        """Load the page that is shown once more and wait until it is loaded."""
        self._load("Page.reload")

    def _load(self, method: str, **params: Any) -> None:
        self.events.clear()
        self._call(method, **params)
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

    def press(self, key: str, modifiers: int = 0) -> None:
        """Press and release a key such as `Tab`, `n` or `1`.  modifiers: 2 with Control."""
        named = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39}
        named["Backspace"] = 8
        named["ArrowDown"] = 40
        number = named.get(key) or ord(key.upper())
        code = key if key in named else f"Digit{key}" if key.isdigit() else f"Key{key.upper()}"
        # Without a text, a button takes no notice of Enter, and a field takes nothing.
        text = {} if key in named and key != "Enter" else {"text": "\r" if key == "Enter" else key}
        for kind in ("keyDown", "keyUp"):
            more = {"modifiers": modifiers, "windowsVirtualKeyCode": number, **text}
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code=code, **more)

    def mouse(self, kind: str, x: float, y: float) -> None:
        """Press or release the mouse at a place.  kind: `mousePressed` or `mouseReleased`."""
        self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def write(self, text: str) -> None:
        """Type a text into the field that has the focus."""
        self._call("Input.insertText", text=text)

    def until(self, expression: str) -> None:
        """Wait until a JavaScript expression is true.  What is not true after two minutes never is."""
        late = f"Date.now() > end ? done(false) : setTimeout(look, {_LOOK_MS})"
        look = f"const look = () => ({expression}) ? done(true) : {late}; look();"
        end = f"const end = Date.now() + {_PATIENCE_S * 1000};"
        assert self.value(f"new Promise((done) => {{ {end} {look} }})") is True, expression

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
        number = self._send(method, params)
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result

    def _send(self, method: str, params: dict[str, Any]) -> int:
        self._last_id += 1
        message: dict[str, Any] = {"id": self._last_id, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data) :]
        return self._last_id

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            piece = os.read(self._from, 1 << 16)
            assert piece, "the browser ended"
            self._buffer += piece
        head, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(head)
        if "method" in message:
            self.events.append(message)
        if message.get("method") == "Page.javascriptDialogOpening":
            # A page that asks whether it may be left is left.
            self._send("Page.handleJavaScriptDialog", {"accept": True})
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
