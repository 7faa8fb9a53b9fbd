"""A simulator's side of Hearback, in Python 3.9 or later, without packages: python3 simulator.py URL TOKEN FILE.wav
FILE.wav: 16 kHz, mono, 16 bits. It is sent at real time as one frequency, and every finding is printed."""
import json, socket, struct, sys, threading, time, wave
from urllib.parse import urlsplit

PIECE = 1600  # samples: a tenth of a second

class WebSocket:  # as much of RFC 6455 as this needs; a package such as websockets does it all
    def __init__(self, url, token):
        host = urlsplit(url).netloc
        self.file = socket.create_connection((urlsplit(url).hostname, urlsplit(url).port)).makefile("rwb")
        self.lock = threading.Lock()
        self.file.write(f"GET /v2?token={token} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
        self.file.flush()
        if b"101" not in self.file.readline():
            sys.exit("Refused: is the token right?")
        while self.file.readline() != b"\r\n":
            pass

    def send(self, data):  # text or bytes, masked with zeros: there is no proxy to fool on this machine
        kind, body = (1, json.dumps(data).encode()) if isinstance(data, dict) else (2, data)
        with self.lock:
            self.file.write(struct.pack(">BBHI", 0x80 | kind, 0xFE, len(body), 0) + body)
            self.file.flush()

    def __iter__(self):
        while head := self.file.read(2):
            size = head[1] if head[1] < 126 else struct.unpack(">H", self.file.read(2))[0] if head[1] == 126 else struct.unpack(">Q", self.file.read(8))[0]
            body = self.file.read(size)
            if head[0] & 15 == 1:
                yield json.loads(body)

def play(link, session, stream, path):
    link.send({"type": "context.update", "session": session, "channel": "118.105", "callsigns": ["DLH328", "SWR426"]})
    began, clock = time.monotonic(), 0.0  # clock: the simulator's own time, seconds
    with wave.open(path) as recording:
        while samples := recording.readframes(PIECE):
            link.send(struct.pack("<BBHHHd", 2, 0, stream, 0, 0, clock) + samples)
            clock += PIECE / 16000
            time.sleep(max(0, began + clock - time.monotonic()))
    link.send({"type": "session.end", "session": session})

link, said = WebSocket(*sys.argv[1:3]), {}
link.send({"type": "session.open", "name": "example", "source": {"kind": "push", "channels": ["118.105"]}})
for message in link:
    event = message["logged"]["event"] if message["type"] == "event" else message
    if event["type"] == "session.opened":
        threading.Thread(target=play, args=(link, event["session"], event["stream"], sys.argv[3]), daemon=True).start()
    elif event["type"] == "transmission.recognised":
        said[event["transmission"]] = event["text"]
    elif event["type"] == "finding.made":
        print(f"{event['finding']['verdict']} {event['finding']['error_type']}: {event['finding']['explanation']}")
    elif event["type"] == "exchange.opened":
        print(f"{event['exchange']['callsign'] or '?'}: {said.get(event['exchange']['instruction'])}")
    elif event["type"] == "session.ended":
        break
