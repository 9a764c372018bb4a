"""Web servers for the cases: nginx, Icecast with a source, and small servers that lie or disconnect.

All run in the sender's network, at 127.0.0.1, and end with the case.
"""

import os
import re
import signal
import subprocess
import time

from player import Failed, Skipped

HERE = os.path.dirname(os.path.abspath(__file__))
GET_SERVERS = os.path.join(HERE, "lab", "get-servers.sh")
LIAR = os.path.join(HERE, "lab", "liar.py")


NAMES = {"servers": "nginx and icecast2", "clocks": "linuxptp"}


def root(kind="servers"):
    """The folder that holds unpacked packages: those of the servers, or of the clocks."""
    try:
        made = subprocess.run([GET_SERVERS, kind], capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        raise Skipped(f"the Debian mirror did not serve {NAMES[kind]} in 5 minutes") from None
    if made.returncode != 0:
        lines = [line for line in made.stderr.splitlines() if line.strip()] or ["no message"]
        raise Skipped(f"{NAMES[kind]} cannot be had: {lines[-1]}")
    return made.stdout.strip()


class Servers:
    """The servers of one case."""

    def __init__(self, stage):
        self.stage = stage
        self.folder = os.path.join(stage.folder, "web")
        self.files = os.path.join(self.folder, "files")
        os.makedirs(self.files, exist_ok=True)
        # nginx's workers and Icecast drop root.
        path = self.files
        while path != "/":
            os.chmod(path, os.stat(path).st_mode | 0o055)
            path = os.path.dirname(path)
        self.processes = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            if process.poll() is None:
                try:
                    os.killpg(process.pid, signal.SIGTERM)
                except ProcessLookupError:
                    pass
        for process in self.processes:
            try:
                process.wait(3)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(3)

    def start(self, *command, name):
        log = open(os.path.join(self.folder, name + ".log"), "ab")
        process = subprocess.Popen(
            self.stage.lab.sender_command(*command), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
        log.close()
        self.processes.append(process)
        return process

    def wait_port(self, port, process, within=10):
        end = time.monotonic() + within
        probe = self.stage.lab.sender_command("sh", "-c", f"ss -Hltn 'sport = :{port}'")
        while time.monotonic() < end:
            if process.poll() is not None:
                raise Failed(f"the server ended with status {process.returncode}; see its log")
            if subprocess.run(probe, capture_output=True, text=True).stdout.strip():
                return
            time.sleep(0.05)
        raise Failed(f"nobody listens at port {port}")

    def serve(self, path):
        """Links a file from elsewhere, under its own name."""
        target = os.path.join(self.files, os.path.basename(path))
        if not os.path.exists(target):
            os.symlink(path, target)
        for folder in self._parents(path):
            os.chmod(folder, os.stat(folder).st_mode | 0o055)
        return os.path.basename(path)

    @staticmethod
    def _parents(path):
        path = os.path.dirname(os.path.realpath(path))
        while path != "/":
            yield path
            path = os.path.dirname(path)

    # nginx

    def nginx(self, port=8080, extra="", tls=None):
        servers = root()
        listen = f"listen 127.0.0.1:{port}" + (" ssl;" if tls else ";")
        if tls:
            listen += f" ssl_certificate {tls[0]}; ssl_certificate_key {tls[1]};"
        work = os.path.join(self.folder, f"nginx-{port}")
        os.makedirs(work, exist_ok=True)
        paths = "".join(f"{kind}_temp_path {work}/{kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        config = f"""
daemon off; worker_processes 1; pid {work}/pid; error_log {work}/error.log; user root;
events {{ worker_connections 64; }}
http {{
  {paths}
  log_format requests '$status $request_method $uri "$http_range" $body_bytes_sent $connection';
  access_log {work}/access.log requests;
  types {{ audio/flac flac; audio/mpeg mp3; audio/wav wav; application/vnd.apple.mpegurl m3u8; audio/x-mpegurl m3u; }}
  server {{ {listen} root {self.files}; {extra} }}
}}
"""
        path = os.path.join(work, "nginx.conf")
        with open(path, "w") as file:
            file.write(config)
        program = self.start(
            "env", f"LD_LIBRARY_PATH={servers}/usr/lib/x86_64-linux-gnu", f"{servers}/usr/sbin/nginx", "-c", path, "-p", work, "-e", f"{work}/error.log",
            name=f"nginx-{port}",
        )
        self.wait_port(port, program)
        return Nginx(work, f"http{'s' if tls else ''}://127.0.0.1:{port}/")

    def certificate(self, name="127.0.0.1"):
        """A test authority's certificate for a name: certificate, key, authority."""
        paths = [os.path.join(self.folder, part) for part in ("server.pem", "server.key", "authority.pem", "authority.key")]
        certificate, key, authority, authority_key = paths
        kind = "IP" if re.fullmatch(r"[0-9.]+", name) else "DNS"
        request, extensions = os.path.join(self.folder, "request.pem"), os.path.join(self.folder, "extensions")
        with open(extensions, "w") as file:
            file.write(f"subjectAltName={kind}:{name}\nbasicConstraints=critical,CA:FALSE\n")
        new = ["-newkey", "rsa:2048", "-nodes"]
        for step in (
            ["req", "-x509", *new, "-days", "2", "-subj", "/CN=Test authority", "-keyout", authority_key, "-out", authority],
            ["req", *new, "-subj", f"/CN={name}", "-keyout", key, "-out", request],
            ["x509", "-req", "-days", "2", "-in", request, "-CA", authority, "-CAkey", authority_key, "-CAcreateserial"]
            + ["-extfile", extensions, "-out", certificate],
        ):
            done = subprocess.run(["openssl", *step], capture_output=True, text=True)
            if done.returncode != 0:
                raise Failed(f"openssl {step[0]}: {done.stderr.strip()}")
        return certificate, key, authority

    # Icecast

    def icecast(self, port=8000):
        servers = root()
        work = os.path.join(self.folder, "icecast")
        os.makedirs(work, exist_ok=True)
        os.chmod(work, 0o777)
        config = f"""<icecast>
  <limits><clients>10</clients><sources>4</sources><source-timeout>3</source-timeout><burst-size>65535</burst-size></limits>
  <authentication><source-password>hackme</source-password><admin-user>admin</admin-user><admin-password>hackme</admin-password></authentication>
  <hostname>127.0.0.1</hostname>
  <listen-socket><port>{port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  <paths><basedir>{servers}/usr/share/icecast2</basedir><logdir>{work}</logdir><webroot>{servers}/usr/share/icecast2/web</webroot>
    <adminroot>{servers}/usr/share/icecast2/admin</adminroot></paths>
  <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>3</loglevel></logging>
  <security><chroot>0</chroot><changeowner><user>nobody</user><group>nogroup</group></changeowner></security>
</icecast>"""
        path = os.path.join(work, "icecast.xml")
        with open(path, "w") as file:
            file.write(config)
        program = self.start(
            "env", f"LD_LIBRARY_PATH={servers}/usr/lib/x86_64-linux-gnu", f"{servers}/usr/bin/icecast2", "-c", path, name="icecast"
        )
        self.wait_port(port, program)
        return Icecast(self, work, port, program)

    # A misbehaving server

    def liar(self, way, file, port=8090):
        program = self.start("python3", LIAR, way, file, str(port), name=f"liar-{port}")
        self.wait_port(port, program)
        return f"http://127.0.0.1:{port}/{os.path.basename(file)}"

    def valve(self, file, port=8095):
        return Valve(self, self.liar("valve", file, port), port)


class Nginx:
    def __init__(self, work, address):
        self.work, self.address = work, address

    def requests(self):
        """Status, path, range, bytes and connection of every finished request."""
        with open(os.path.join(self.work, "access.log")) as file:
            return [line.rstrip("\n") for line in file]

    def connections(self):
        return {line.split()[-1] for line in self.requests()}

    def kill_worker(self):
        """Crashes: all its connections are reset; nginx starts another one."""
        with open(os.path.join(self.work, "pid")) as file:
            master = int(file.read())
        with open(f"/proc/{master}/task/{master}/children") as file:
            for worker in file.read().split():
                os.kill(int(worker), signal.SIGKILL)


class Valve:
    """Serves a file up to a mark; the rest is held until the mark is moved."""

    def __init__(self, servers, address, port):
        self.servers, self.address, self.port = servers, address, port

    def open(self, count):
        command = ["curl", "-s", "-m", "5", f"http://127.0.0.1:{self.port}/mark/{count}"]
        if subprocess.run(self.servers.stage.lab.sender_command(*command), capture_output=True).returncode != 0:
            raise Failed("the valve does not answer")

    def trickle(self, before, until, seconds):
        """Moves the mark in tenths from one to the other, in the given number of seconds."""
        for step in range(1, 11):
            time.sleep(seconds / 10)
            self.open(before + (until - before) * step // 10)


class Icecast:
    def __init__(self, servers, work, port, program):
        self.servers, self.work, self.port, self.program = servers, work, port, program

    def address(self, mount):
        return f"http://127.0.0.1:{self.port}/{mount}"

    def feed(self, mount, path, *options, kind, content):
        """A source: sends a file in real time. Returns when listeners can connect."""
        source = self.servers.start(
            "ffmpeg", "-nostdin", "-v", "error", "-re", "-i", path, *options, "-f", kind, "-content_type", content,
            "-ice_name", "Radio Tutti", "-ice_genre", "Test", f"icecast://source:hackme@127.0.0.1:{self.port}/{mount}",
            name=f"source-{mount.replace('/', '-')}",
        )
        self.wait_mount(mount, source)
        return source

    def wait_mount(self, mount, source, within=10):
        end = time.monotonic() + within
        while time.monotonic() < end:
            if f'mount="/{mount}"' in self._get("/admin/stats", "admin:hackme"):
                return
            if source.poll() is not None:
                raise Failed("the source ended; see its log")
            time.sleep(0.1)
        raise Failed(f"the mount {mount} did not come")

    def title(self, mount, text):
        """The source's operator sets the title."""
        from urllib.parse import quote

        self._get(f"/admin/metadata?mount=/{mount}&mode=updinfo&charset=UTF-8&song={quote(text)}", "admin:hackme")

    def _get(self, path, user=None):
        command = ["curl", "-s", "-m", "5", *(["-u", user] if user else []), f"http://127.0.0.1:{self.port}{path}"]
        return subprocess.run(self.servers.stage.lab.sender_command(*command), capture_output=True, text=True).stdout

