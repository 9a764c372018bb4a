import AirPlaySender
import AVFoundation
import Playback
import TuttiCommandLineInterface

/// A report that prints one JSON object per line on standard output.
final class JSONPlayReport: PlayReport {
    func end() {}

    func show(_ event: PlayEvent) {
        for line in Self.lines(event) { StandardStream.output.line(line.text) }
    }

    /// Returns the lines for an event. Times are in seconds; `startMs` is in milliseconds.
    static func lines(_ event: PlayEvent) -> [JSONLine] {
        switch event {
        case .source(let index, let media): [source(index, media)]
        case .title(let index, let title): [self.title(index, title)]
        case .format, .volume, .opened: []
        case .route(let speaker, let address, let session, let choice):
            [route(speaker, address, session, choice)]
        case .clock(let speaker, let state, let role): [clock(speaker, state, role)]
        case .playing(let index, let position, let start): [playing(index, position, start)]
        case .progress(let progress): [self.progress(progress)]
        case .paused(let index, let position): [paused(index, position)]
        case .warning(let code, let speaker, let message): [problem("warning", code, speaker, message)]
        case .error(let code, let speaker, let message): [problem("error", code, speaker, message)]
        case .speakerVolume(let speaker, let percent): [volume(speaker, percent)]
        case .member(let speaker, let change): [member(speaker, change)]
        case .pictures(let pictures): [self.pictures(pictures)]
        case .ended: [JSONLine(["event": "ended"])]
        }
    }

    private static func source(_ index: Int, _ media: TuttiMedia) -> JSONLine {
        JSONLine([
            "event": "source", "index": .integer(index), "path": .string(media.location),
            "codec": .string(media.codec), "sampleRate": .integer(media.sampleRate),
            "bitDepth": media.bitDepth.map { .integer($0) } ?? .null,
            "channels": .integer(media.channelCount),
            "duration": media.duration.map { .number($0, decimals: 3) } ?? .null,
            "title": .optional(media.title), "artist": .optional(media.artist),
            "live": .bool(media.isLive),
        ])
    }

    private static func title(_ index: Int, _ title: StreamTitle) -> JSONLine {
        JSONLine([
            "event": "title", "index": .integer(index), "title": .string(title.title),
            "artist": .optional(title.artist),
        ])
    }

    private static func route(
        _ speaker: NamedSpeaker, _ address: String, _ session: SessionChoice?, _ choice: WireChoice
    ) -> JSONLine {
        let isAirPlay1 = session?.stream == .airPlay1
        let stream = isAirPlay1 ? "realtime" : session?.stream.rawValue
        return JSONLine([
            "event": "route", "speaker": .string(speaker.name), "id": id(of: speaker),
            "address": .string(address),
            "protocol": session?.stream == .local ? .null : isAirPlay1 ? "AirPlay 1" : "AirPlay 2",
            "stream": .optional(stream),
            "clock": .optional(session?.clock.rawValue), "wireFormat": .string("\(choice.format)"),
            "passThrough": .bool(choice.passesThrough), "reason": .string(choice.reason),
            "streamReason": .optional(session?.reason),
        ])
    }

    private static func clock(_ speaker: NamedSpeaker, _ state: String, _ role: String) -> JSONLine {
        JSONLine([
            "event": "clock", "speaker": .string(speaker.name), "id": id(of: speaker),
            "state": .string(state), "role": .string(role),
        ])
    }

    private static func playing(_ index: Int, _ position: Double, _ start: Double) -> JSONLine {
        JSONLine([
            "event": "playing", "index": .integer(index), "position": .number(position, decimals: 3),
            "startMs": .number(start, decimals: 1),
        ])
    }

    private static func paused(_ index: Int, _ position: Double) -> JSONLine {
        JSONLine([
            "event": "paused", "index": .integer(index), "position": .number(position, decimals: 3),
        ])
    }

    private static func progress(_ progress: PlayProgress) -> JSONLine {
        let volumes = progress.speakers.compactMap { speaker in
            speaker.volume.map {
                JSONValue.Member(
                    key: progress.key(of: speaker.speaker), value: .number($0, decimals: 1))
            }
        }
        return JSONLine([
            "event": "progress", "index": .integer(progress.index),
            "position": .number(progress.position, decimals: 3),
            "ahead": .object(
                progress.speakers.map {
                    JSONValue.Member(
                        key: progress.key(of: $0.speaker), value: .number($0.secondsAhead, decimals: 2))
                }),
            "volumes": volumes.isEmpty ? nil : .object(volumes),
        ])
    }

    private static func volume(_ speaker: NamedSpeaker, _ percent: Double) -> JSONLine {
        JSONLine([
            "event": "volume", "speaker": .string(speaker.name), "id": id(of: speaker),
            "volume": .number(percent, decimals: 1),
        ])
    }

    private static func member(_ speaker: NamedSpeaker, _ change: MemberChange) -> JSONLine {
        JSONLine([
            "event": "member", "speaker": .string(speaker.name), "id": id(of: speaker),
            "state": .string(change.rawValue),
        ])
    }

    private static func pictures(_ pictures: PlayPictures) -> JSONLine {
        JSONLine([
            "event": "pictures", "shown": .integer(pictures.shown), "dropped": .integer(pictures.dropped),
            "late": .integer(pictures.late), "corrupt": .integer(pictures.corrupt),
        ])
    }

    /// Returns a speaker's id; `nil` leaves it out where only the name or the address is known.
    private static func id(of speaker: NamedSpeaker) -> JSONValue? { speaker.ownID.map(JSONValue.string) }

    private static func problem(
        _ event: String, _ code: String, _ speaker: NamedSpeaker?, _ message: String
    ) -> JSONLine {
        JSONLine([
            "event": .string(event), "code": .string(code), "speaker": .optional(speaker?.name),
            "id": speaker.flatMap(id(of:)), "message": .string(message),
        ])
    }
}
