"""A headless Chromium over its debugging pipe: the standard library is enough, so no driver has to be installed."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# Chromium reads commands from descriptor 3 and answers on 4.
_START = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for end, wanted in zip(ends, (3, 4)):
    os.dup2(end, wanted)
os.execvp(sys.argv[3], sys.argv[3:])
"""


def chromium() -> str | None:
    """The path of an installed Chromium; None if there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page at a time; `run` evaluates a script in it, `problems` are its errors so far."""

    def __init__(self, seconds: float = 20) -> None:
        self.seconds = seconds
        self.problems: list[str] = []
        self._waiting: list[dict[str, Any]] = []
        self._rest = b""
        self._last = 0
        self._home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_there, self._write = os.pipe()
        self._read, write_there = os.pipe()
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        flags += ["--remote-debugging-pipe", f"--user-data-dir={self._home.name}", "--hide-scrollbars"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(read_there), str(write_there), str(chromium()), *flags],
            pass_fds=(read_there, write_there),
            stderr=subprocess.DEVNULL,
        )
        os.close(read_there)
        os.close(write_there)
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session: str | None = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")

    _session = None

    def close(self) -> None:
        """End the browser."""
        os.close(self._write)
        os.close(self._read)
        try:
            self._process.wait(3)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._home.cleanup()

    def open(self, path: Path, fragment: str = "", width: int = 1200, dark: bool = False) -> None:
        """Load a file in a window of this width."""
        self.problems.clear()
        self.resize(width)
        self.prefer(dark)
        self._ask("Page.navigate", url="about:blank")
        self._until("Page.loadEventFired")
        self._ask("Page.navigate", url=path.as_uri() + fragment)
        self._until("Page.loadEventFired")

    def resize(self, width: int) -> None:
        """Make the window this wide."""
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)

    def prefer(self, dark: bool) -> None:
        """Ask pages for dark or light colours, as the settings of a system do."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[scheme])

    def run(self, script: str) -> Any:
        """The value of a script's expression; promises are awaited."""
        found = self._ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"]["exception"].get("description", "the script failed"))
        return found["result"].get("value")

    def wait(self, script: str) -> Any:
        """Wait until the script's value is true, and return it."""
        end = time.monotonic() + self.seconds
        while not (value := self.run(script)):
            if time.monotonic() > end:
                raise AssertionError(f"never true: {script}")
            time.sleep(0.02)
        return value

    def click(self, selector: str) -> None:
        """A real click in the middle of an element."""
        x, y = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            "e.scrollIntoView({block: 'center', behavior: 'instant'}); const b = e.getBoundingClientRect(); "
            "return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        """One key, such as Enter."""
        text = {"Enter": "\r", "Tab": "\t", " ": " "}.get(key, "")
        code = {"Enter": 13, "Tab": 9, " ": 32}.get(key, 0)
        self._ask("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, windowsVirtualKeyCode=code)
        self._ask("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text: str) -> None:
        """Type text into the element that has the focus."""
        self._ask("Input.insertText", text=text)

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        asked = self._last
        while True:
            answer = self._next()
            if answer.get("id") == asked:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            self._waiting.append(answer)

    def _until(self, event: str) -> None:
        while True:
            message = self._waiting.pop(0) if self._waiting else self._next()
            if message.get("method") == event:
                return

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + self.seconds
        while b"\0" not in self._rest:
            if not select.select([self._read], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError("Chromium does not answer")
            part = os.read(self._read, 1 << 20)
            if not part:
                raise AssertionError("Chromium has ended")
            self._rest += part
        text, self._rest = self._rest.split(b"\0", 1)
        message: dict[str, Any] = json.loads(text)
        self._note(message)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        """Record errors of the page, and every request for anything but the page itself."""
        params = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.problems.append(str(params["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
                self.problems.append(str(params["args"]))
            case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning"):
                self.problems.append(str(params["entry"]))
            case "Network.requestWillBeSent" if not params["request"]["url"].startswith(("file:", "about:", "data:")):
                self.problems.append(params["request"]["url"])
