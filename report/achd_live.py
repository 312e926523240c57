#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""achd-live: a web page of a loop while it runs (docs/report.md). Needs Python 3 and nothing else."""
import argparse
import http.server
import json
import os
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import following  # noqa: E402
import live_pages  # noqa: E402
import pages  # noqa: E402
import run_folder  # noqa: E402

RATE = 30     # messages a second
SILENCE = 1.0  # [s] after which a browser gets the message that nothing is new: so one that has gone is noticed


def event(kind, data):
    """Of text/event-stream: a line of the text is a line of the event."""
    return (f"event: {kind}\n" + "".join(f"data: {line}\n" for line in data) + "\n").encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, code, kind, text):
        self.send_response(code)
        self.send_header("Content-Type", kind + "; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        # A page of another site that has made its name lead to this machine asks for that name.
        if urllib.parse.urlsplit("//" + self.headers.get("Host", "")).hostname not in self.server.names:
            self.answer(403, "text/plain", b"another host's name\n")
        elif address.path == "/" and self.server.page:
            self.answer(*self.page())
        elif address.path == "/stream":
            self.stream("start" in urllib.parse.parse_qs(address.query).get("from", []))
        else:
            self.answer(404, "text/plain", b"there is / and /stream\n")

    def page(self):
        try:
            return 200, "text/html", self.server.page()
        except (run_folder.Mistake, OSError) as mistake:  # of a file that is being written
            return 500, "text/plain", f"{mistake}\n".encode()

    def stream(self, whole):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        follower, told = following.Follower(self.server.log, whole), time.monotonic()
        due = told
        try:
            while not self.server.ending.is_set():
                found = follower.read()
                if found:
                    kind, what = found
                    self.wfile.write(event(kind, [json.dumps(what)] if kind != "rows" else what))
                    told = time.monotonic()
                elif time.monotonic() - told > SILENCE:
                    self.wfile.write(b": nothing new\n\n")
                    told = time.monotonic()
                due = max(due + 1 / RATE, time.monotonic() - 1 / RATE)
                self.server.ending.wait(max(0, due - time.monotonic()))
        except (BrokenPipeError, ConnectionResetError):
            pass  # the browser has gone
        finally:
            follower.restart()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address, log, page):
        super().__init__(address, Handler)
        self.log, self.page, self.ending = log, page, threading.Event()
        self.names = {"localhost", "127.0.0.1", "::1", address[0]}


def described(folder, name, check):
    """What a file beside the log says; None where it is not there."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return None
    found = run_folder.read_json(path)
    check(path, found)
    return found


def main():
    parser = argparse.ArgumentParser(prog="achd-live", description="Shows a loop while it runs: follows its log and serves a web page to this machine.",
                                     epilog="The log is what achd_log_file_write writes; docs/report.md has more. Ctrl-C ends it.")
    parser.add_argument("run", metavar="LOG", help="log.csv, or its folder; it need not be there yet")
    parser.add_argument("--robot", metavar="FILE", help="what achdgen --describe json prints of the robot (robot.json beside the log)")
    parser.add_argument("--port", type=int, default=8420, help="of the page (8420); 0: any that is free")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at (127.0.0.1: this machine alone); whoever reaches it sees the log")
    parser.add_argument("--no-page", action="store_true", help="the stream alone (/stream?from=start), for a program of yours")
    parser.add_argument("--nice", type=int, default=10, help="how far to stand back behind other processes (10)")
    arguments = parser.parse_args()
    log = os.path.join(arguments.run, "log.csv") if os.path.isdir(arguments.run) else arguments.run
    folder = os.path.dirname(log) or "."
    here = os.path.dirname(os.path.realpath(__file__))
    try:
        if not os.path.isdir(folder):
            raise run_folder.Mistake(f"{folder}: is no folder; the log is to be written there")
        if not 0 <= arguments.port < 65536:
            raise run_folder.Mistake(f"--port {arguments.port}: ports are 0 to 65535")
        assets = None if arguments.no_page else pages.Assets(here, "live.bundle.js", live_pages.STYLE)

        def page():
            about = described(folder, "run.json", run_folder.check_about) or {}
            robot = described(*os.path.split(arguments.robot), run_folder.check_robot) if arguments.robot else described(folder, "robot.json", run_folder.check_robot)
            if arguments.robot and robot is None:
                raise run_folder.Mistake(f"{arguments.robot}: there is no such file")
            return live_pages.live_page(about.get("title") or os.path.abspath(log), about, robot, assets).encode()
        if assets:
            page()  # a mistake is reported now
        os.nice(max(0, arguments.nice))
        server = Server((arguments.host, arguments.port), log, None if arguments.no_page else page)
    except run_folder.Mistake as mistake:
        sys.exit(f"achd-live: {mistake}")
    except OSError as error:
        sys.exit(f"achd-live: {arguments.host}:{arguments.port}: {error.strerror}")
    print(f"http://{arguments.host}:{server.server_address[1]}/ shows {log}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.ending.set()


if __name__ == "__main__":
    main()
