# SPDX-License-Identifier: MIT
"""browser.py: a headless Chromium, driven through its DevTools protocol over a pipe; Python 3 and nothing else.

    with Browser() as browser:            # Browser(webgl=False): without WebGL
        page = browser.open("file:///...", width=1280, height=900)
        page.wait("document.documentElement?.dataset.ready === 'yes'")
        page.screenshot("page.png")
        page.said                         # errors and warnings on the console, and exceptions
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def program():
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class Browser:
    def __init__(self, webgl=True, timeout=60):
        self.timeout, self.number, self.waiting, self.events = timeout, 0, b"", []
        self.profile = tempfile.mkdtemp(prefix="achd-browser-")
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()
        drawing = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if webgl else ["--disable-gpu", "--disable-3d-apis", "--disable-webgl", "--disable-webgl2"]
        command = [program(), "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
                   "--disable-background-networking", "--force-color-profile=srgb", "--allow-file-access-from-files", f"--user-data-dir={self.profile}", *drawing, "about:blank"]
        shell = ["sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "sh", *command]
        self.process = subprocess.Popen(shell, pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except Exception:  # it is ended in any case
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.into)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, seconds):
        """The next message, or None when none comes in time."""
        end = time.monotonic() + seconds
        while b"\0" not in self.waiting:
            ready, _, _ = select.select([self.into], [], [], max(0, end - time.monotonic()))
            part = os.read(self.into, 1 << 20) if ready else b""
            if not part:
                return None
            self.waiting += part
        message, _, self.waiting = self.waiting.partition(b"\0")
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + self.timeout
        while True:
            answer = self.receive(end - time.monotonic())
            if answer is None:
                raise TimeoutError(f"{method}: no answer from the browser")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, address, width=1280, height=900, mobile=False, scheme="light"):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, session, address, width, height, mobile, scheme)


class Page:
    def __init__(self, browser, session, address, width, height, mobile, scheme):
        self.browser, self.session, self.said = browser, session, []
        for domain in ("Runtime", "Log", "Page"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=address)

    def call(self, method, **parameters):
        result = self.browser.call(method, self.session, **parameters)
        mine = [event for event in self.browser.events if event.get("sessionId") == self.session]
        self.browser.events = [event for event in self.browser.events if event.get("sessionId") != self.session]
        for event in mine:
            self.note(event["method"], event["params"])
        return result

    def note(self, method, parameters):
        if method == "Tracing.dataCollected":
            self.traced += parameters["value"]
        elif method == "Tracing.tracingComplete":
            self.ended = True
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.said.append("exception: " + details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.said.append(parameters["type"] + ": " + " ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.said.append(parameters["entry"]["level"] + ": " + parameters["entry"]["text"] + " " + parameters["entry"].get("url", ""))

    def trace(self, seconds):
        """What the browser's trace says of some seconds: its events."""
        self.traced, self.ended = [], False
        self.call("Tracing.start", transferMode="ReportEvents", categories="devtools.timeline,disabled-by-default-devtools.timeline")
        time.sleep(seconds)
        self.call("Tracing.end")
        for _ in range(300):
            self.run("0")
            if self.ended:
                break
            time.sleep(0.1)
        return self.traced

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return result["result"].get("value")

    def wait(self, condition, seconds=30):
        end = time.monotonic() + seconds
        while not self.run(condition):
            if time.monotonic() > end:
                raise TimeoutError(f"{condition}: not within {seconds} s; the console says {self.said}")
            time.sleep(0.1)

    def screenshot(self, path, whole=False):
        result = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(result["data"]))
