import AirPlayMessages
import AirPlayReceiver
import TuttiCommandLineInterface

/// A display of the state of `tutti speaker`.
protocol SpeakerDisplay: Sendable {
    func started(_ description: SpeakerStart)
    func show(_ event: SpeakerEvent)
    /// Shows the status; called twice a second.
    func show(_ status: SpeakerStatusLine)
    func end()
}

/// The properties of a speaker that has started.
struct SpeakerStart: Sendable, Equatable {
    var name: String
    var addresses: [String]
    var port: UInt16
    var output: String
    var deviceID: String
    var bufferBytes: Int
}

/// The periodically updated measurements of a speaker.
struct SpeakerStatusLine: Sendable, Equatable {
    var stream: StreamStatus?
    /// The offset of the sender's clock from ours, in seconds; `nil` without a clock.
    var clockOffset: Double?
    /// The drift of the sender's clock against ours, in ppm; positive if the sender's clock is faster.
    var clockDrift: Double?
    var pathDelay: Double?
    var sender: String?
    /// Packets of the current session that could not be opened or have an unknown format.
    var unusablePackets = 0
    /// Time since the last sound arrived; `nil` without a stream.
    var silence: Duration?
    /// The longest silence that a slow network can explain; a longer one means a cut link.
    private static let slowest = Duration.seconds(1)

    /// The warning for an underrun.
    var underrunWarning: SpeakerEvent {
        if let silence, silence >= Self.slowest {
            return .warning(
                code: "nothing-came",
                message:
                    "the sound ran out: nothing came from the sender for \(silence.components.seconds) s; it stopped, or its link is cut"
            )
        }
        return .warning(code: "underrun", message: "the sound ran out: the network is too slow")
    }
}

/// A display that prints one JSON object per line.
struct JSONSpeakerDisplay: SpeakerDisplay {
    func started(_ start: SpeakerStart) { print(Self.line(start)) }
    func end() {}

    func show(_ event: SpeakerEvent) {
        if let line = Self.line(event) { print(line) }
    }

    func show(_ status: SpeakerStatusLine) { print(Self.line(status)) }

    private func print(_ line: JSONLine) { StandardStream.output.line(line.text) }

    static func line(_ start: SpeakerStart) -> JSONLine {
        JSONLine([
            "event": "started", "name": .string(start.name),
            "addresses": .array(start.addresses.map { .string($0) }), "port": .integer(Int(start.port)),
            "output": .string(start.output), "deviceID": .string(start.deviceID),
            "bufferBytes": .integer(start.bufferBytes),
        ])
    }

    static func line(_ event: SpeakerEvent) -> JSONLine? {
        switch event {
        case .sessionStarted(let sender): return session("started", sender)
        case .sessionEnded(let sender, let reason): return session("ended", sender, reason: reason)
        case .senderLost(let sender): return session("lost", sender)
        case .senderReturned(let sender): return session("returned", sender)
        case .source(let kind, let format):
            return JSONLine([
                "event": "source", "stream": .string("\(kind)"),
                "format": .optional(format.map { "\($0)" }),
            ])
        case .playing(let isPlaying):
            return JSONLine(["event": "playing", "playing": .bool(isPlaying)])
        case .volume(let volume):
            return JSONLine([
                "event": "volume", "percent": .number(volume.percent, decimals: 1),
                "decibels": .number(volume.decibels, decimals: 2),
            ])
        case .metadata(let metadata, _): return self.metadata(metadata)
        case .artwork(let kind, let bytes, _):
            return JSONLine([
                "event": "artwork", "type": .string(kind.rawValue), "bytes": .integer(bytes.count),
            ])
        case .progress(let progress):
            return JSONLine([
                "event": "position", "start": .integer(Int(progress.start.rawValue)),
                "current": .integer(Int(progress.current.rawValue)),
                "end": .integer(Int(progress.end.rawValue)),
            ])
        case .pin(let pin): return JSONLine(["event": "pin", "pin": .optional(pin)])
        case .warning(let code, let message):
            return JSONLine(["event": "warning", "code": .string(code), "message": .string(message)])
        }
    }

    private static func session(_ state: String, _ sender: SenderDescription, reason: String? = nil)
        -> JSONLine
    {
        JSONLine([
            "event": "session", "state": .string(state), "sender": .optional(sender.name),
            "model": .optional(sender.model), "address": .string("\(sender.address)"),
            "reason": .optional(reason),
        ])
    }

    private static func metadata(_ metadata: DMAPMetadata) -> JSONLine {
        JSONLine([
            "event": "metadata", "title": .optional(metadata.title), "artist": .optional(metadata.artist),
            "album": .optional(metadata.album), "genre": .optional(metadata.genre),
            "duration": metadata.durationMilliseconds.map { .number(Double($0) / 1000, decimals: 3) }
                ?? .null,
        ])
    }

    static func line(_ status: SpeakerStatusLine) -> JSONLine {
        let stream = status.stream ?? StreamStatus()
        return JSONLine([
            "event": "status", "playing": .bool(stream.isPlaying),
            "buffered": .number(stream.bufferedSeconds, decimals: 2),
            "heldBytes": .integer(stream.heldBytes),
            "sampleRate": stream.sampleRate.map { .integer($0.hertz) } ?? .null,
            "missingFrames": .integer(Int(stream.missingFrames)),
            "underruns": .integer(stream.underrunCount),
            "refusedPackets": .integer(stream.refusedPackets),
            "unusablePackets": .integer(status.unusablePackets),
            "errorMicroseconds": .number(stream.error * 1e6, decimals: 2),
            "driftPPM": .number(stream.drift, decimals: 3),
            "clockOffset": status.clockOffset.map { .number($0, decimals: 9) } ?? .null,
            "clockDriftPPM": status.clockDrift.map { .number($0, decimals: 3) } ?? .null,
            "pathDelayMicroseconds": status.pathDelay.map { .number($0 * 1e6, decimals: 2) } ?? .null,
        ])
    }
}
