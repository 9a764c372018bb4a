"""`tutti play` as a running process: its events, its commands, its end."""

import json
import os
import signal
import subprocess
import threading
import time

CRASH_MARKS = ("fatal error", "stack dump", "crashed at", "traceback", "backtrace", "precondition failed", "segmentation")


class Failed(Exception):
    """An expectation of a case does not hold; the message says which."""


class Skipped(Exception):
    """A case cannot run here; the message says why."""


class Player:
    """One `tutti` process. All waits are limited; `close` leaves nothing behind."""

    def __init__(self, command, folder, name, **environment):
        self.stderr_path = os.path.join(folder, name + ".stderr")
        self.events, self.other_lines, self.eof = [], [], False
        self.changed = threading.Condition()
        self.status, self.usage, self.peak_kb = None, None, 0
        # Stored state of one case must not reach the next.
        state = os.path.join(folder, "state")
        stored = {"XDG_STATE_HOME": state, "XDG_DATA_HOME": os.path.join(state, "data"), "XDG_CONFIG_HOME": os.path.join(state, "config")}
        environment = dict(os.environ, **stored, **environment)
        with open(self.stderr_path, "wb") as errors:
            self.started = time.monotonic()
            self.process = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                start_new_session=True,
            )
        self.reader = threading.Thread(target=self._read, name=f"events of {name}", daemon=True)
        self.reader.start()

    def _read(self):
        buffer = b""
        with open(os.path.join(os.path.dirname(self.stderr_path), os.path.basename(self.stderr_path) + ".events"), "w") as log:
            while piece := os.read(self.process.stdout.fileno(), 65536):
                buffer += piece
                *lines, buffer = buffer.split(b"\n")
                for line in lines:
                    self._take(line.decode(errors="replace"), log)
            if buffer:
                self._take(buffer.decode(errors="replace"), log)
        with self.changed:
            self.eof = True
            self.changed.notify_all()

    def _take(self, line, log):
        at = time.monotonic()
        log.write(f"{at - self.started:.3f} {line}\n")
        log.flush()
        try:
            event = json.loads(line)
            if not isinstance(event, dict) or "event" not in event:
                raise ValueError
        except ValueError:
            event = None
        with self.changed:
            if event is None:
                self.other_lines.append(line)
            else:
                event["_at"] = at
                self.events.append(event)
            self.changed.notify_all()

    # Events

    def here(self):
        """An index into the events: waits with `after` consider only later ones."""
        return len(self.events)

    def wait(self, kind, within, where=None, after=0):
        """The first event of this kind (that satisfies `where`), waited for up to `within` seconds."""
        end = time.monotonic() + within
        with self.changed:
            seen = after
            while True:
                for event in self.events[seen:]:
                    if event["event"] == kind and (where is None or where(event)):
                        return event
                seen = max(seen, len(self.events))
                left = end - time.monotonic()
                if self.eof:
                    raise Failed(f"the program ended before a `{kind}` event")
                if left <= 0:
                    raise Failed(f"no `{kind}` event within {within:g} s")
                self.changed.wait(left)

    def all(self, kind, after=0):
        return [event for event in self.events[after:] if event["event"] == kind]

    def wait_ahead(self, seconds, within, position=0.0):
        """Returns when every speaker holds this much, at or after this position."""
        return self.wait("progress", within, lambda e: e.get("position", 0) >= position and least_ahead(e) >= seconds)

    def wait_position(self, seconds, within, after=0):
        return self.wait("progress", within, lambda e: e.get("position", 0) >= seconds, after)

    # Commands

    def send(self, command):
        try:
            self.process.stdin.write(command.encode() + b"\n")
        except OSError as error:
            raise Failed(f"the program takes no command `{command}`: {error.strerror}") from None
        return time.monotonic()

    # The end

    def poll(self):
        """Notes the end of the process if it has ended; its CPU time and peak memory come from the kernel."""
        if self.status is None:
            self._look_at_memory()
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                self.status, self.usage = os.waitstatus_to_exitcode(status), usage
                self.process.returncode = self.status
        return self.status

    def _look_at_memory(self):
        # Not from wait4: its figure includes the process that started this one.
        try:
            with open(f"/proc/{self.process.pid}/status") as file:
                for line in file:
                    if line.startswith("VmHWM:"):
                        self.peak_kb = max(self.peak_kb, int(line.split()[1]))
        except OSError:
            pass

    def exit(self, within):
        """The exit status; fails if the program does not end in time."""
        end = time.monotonic() + within
        while self.poll() is None:
            if time.monotonic() > end:
                raise Failed(f"the program did not end within {within:g} s")
            time.sleep(0.01)
        self.reader.join(2)
        return self.status

    def expect_end(self, within, status=0):
        """Waits for `ended` and for the exit status."""
        self.wait("ended", within)
        self.expect_exit(5, status)

    def quit(self):
        self.send("quit")
        self.expect_exit(5)

    def expect_exit(self, within, status=0):
        found = self.exit(within)
        if found != status:
            raise Failed(f"exit status {self.describe_status(found)} instead of {status}")
        self.expect_clean()

    def expect_clean(self):
        """Expects no trace of a crash, and only JSON on standard output."""
        text = self.stderr().lower()
        for mark in CRASH_MARKS:
            if mark in text:
                raise Failed(f"standard error shows a crash ({mark})")
        if self.other_lines:
            raise Failed(f"standard output has a line that is no JSON event: {self.other_lines[0]!r}")

    @staticmethod
    def describe_status(status):
        return f"{status} (signal {signal.Signals(-status).name})" if status < 0 else str(status)

    def stderr(self):
        with open(self.stderr_path, errors="replace") as file:
            return file.read()

    def close(self):
        """Ends the process if it still runs, and closes everything."""
        try:
            self.process.stdin.close()
        except OSError:
            pass  # a pipe whose reader is gone
        if self.poll() is None:
            # Its own process group: started with start_new_session.
            for sign, wait in ((signal.SIGTERM, 3.0), (signal.SIGKILL, 3.0)):
                try:
                    os.killpg(self.process.pid, sign)
                except ProcessLookupError:
                    pass
                end = time.monotonic() + wait
                while self.poll() is None and time.monotonic() < end:
                    time.sleep(0.02)
                if self.status is not None:
                    break
        self.reader.join(2)
        self.process.stdout.close()

    def report(self):
        """The last output, for a failure's report."""
        lines = [f"--- {self.describe_status(self.status) if self.status is not None else 'running'}: events"]
        for event in self.events[-12:]:
            shown = {key: value for key, value in event.items() if key != "_at"}
            lines.append(f"{event['_at'] - self.started:8.3f} {json.dumps(shown)}")
        errors = self.stderr().splitlines()[-12:]
        return lines + (["--- standard error"] + errors if errors else [])


def least_ahead(event):
    """Seconds buffered by the speaker that holds least, from a `progress` event."""
    ahead = event.get("ahead")
    if isinstance(ahead, dict):
        values = list(ahead.values())
    elif isinstance(ahead, list):
        values = [entry.get("ahead", entry.get("seconds")) if isinstance(entry, dict) else entry for entry in ahead]
    else:
        values = [ahead]
    values = [value for value in values if isinstance(value, (int, float))]
    return min(values) if values else 0.0
