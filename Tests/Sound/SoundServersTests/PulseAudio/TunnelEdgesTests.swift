import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiWire

@testable import TuttiSoundServers

@Suite("A conversation with a tunnel at its limits")
struct TunnelEdgesTests {
    private let start = HostTime(nanoseconds: 5_000_000_000)
    private func time(_ milliseconds: Int) -> HostTime { start.advanced(by: .milliseconds(milliseconds)) }

    private func opened(isCorked: Bool = false) throws -> Tunnel {
        var tunnel = Tunnel(latency: .milliseconds(500))
        try tunnel.open(at: start, isCorked: isCorked)
        #expect(tunnel.takeEvents() == [.opened])
        return tunnel
    }

    private func cork(_ tunnel: inout Tunnel, _ isCorked: Bool, _ tag: UInt32, at now: HostTime) throws {
        try tunnel.send(NativeCommand.corkPlaybackStream, tag, at: now) { message in
            message.integer(0)
            message.boolean(isCorked)
        }
        #expect(tunnel.take(tag: tag) != nil)
    }

    @Test("a stream that begins suspended is asked for nothing until it plays")
    func corked() throws {
        var tunnel = try opened(isCorked: true)
        #expect(tunnel.wanted == 0 && tunnel.conversation.nextWake(after: start) == nil)
        tunnel.wake(at: time(1_000))
        #expect(tunnel.wanted == 0)
        try cork(&tunnel, false, 9, at: time(2_000))
        #expect(tunnel.wanted == 1_323 * 8)
        #expect(tunnel.conversation.nextWake(after: time(2_000)) == time(2_010))
        #expect(tunnel.takeEvents().isEmpty)
    }

    @Test("suspending twice is told once, and playing twice changes nothing")
    func repeated() throws {
        var tunnel = try opened()
        try tunnel.sendSound(frames: tunnel.wanted / 8, at: time(1))
        _ = tunnel.takeEvents()
        for tag: UInt32 in 9...11 { try cork(&tunnel, true, tag, at: time(10)) }
        #expect(tunnel.takeEvents() == [.idle])
        for tag: UInt32 in 12...14 { try cork(&tunnel, false, tag, at: time(1_000)) }
        // The sound that was asked for before has come: another 30 ms are due, once.
        #expect(tunnel.wanted == 1_323 * 8)
        #expect(tunnel.takeEvents().isEmpty)
    }

    @Test("an empty block is no sound, and a message without a command is refused")
    func empty() throws {
        var tunnel = try opened()
        try tunnel.send(Tunnel.block(byteCount: 0), at: start)
        #expect(tunnel.takeEvents().isEmpty)
        for payload in [[], [UInt8(ascii: "L")], [UInt8(ascii: "L"), 0, 0, 0, 0], [1, 2, 3]] as [[UInt8]] {
            var other = try opened()
            #expect(throws: WireError.self) { try other.send(NativeFrame.message(payload), at: start) }
        }
    }

    @Test("a latency and a volume that are set before the stream begins are its first")
    func early() throws {
        var tunnel = Tunnel(latency: .milliseconds(500))
        tunnel.conversation.setLatency(.seconds(1))
        tunnel.conversation.setVolume(MixerVolume(percent: 25, isMuted: true))
        tunnel.look()
        #expect(tunnel.messages.isEmpty)
        try tunnel.open(at: start)
        try tunnel.sendSound(frames: 441, at: time(1))
        guard case .sound(_, let heardAt)? = tunnel.takeEvents().last else {
            Issue.record("no sound")
            return
        }
        #expect(heardAt == time(1_000))
        try tunnel.send(NativeCommand.sinkInputInfo, 20, at: start) { $0.integer(0) }
        var answer = tunnel.take(tag: 20)
        #expect(try answer?.integer("index") == 0)
        // A value that the mixer showed before no longer counts.
        tunnel.conversation.noteVolume(levels: [65_536, 65_536], isMuted: false)
        #expect(tunnel.conversation.levels == [16_384, 16_384] && tunnel.conversation.isMuted)
        #expect(tunnel.takeEvents().isEmpty)
    }

    @Test("a mixer's volume has one to 32 channels, of which the loudest counts")
    func channels() throws {
        var tunnel = try opened()
        func set(_ levels: [UInt32]) throws -> [TunnelConversation.Event] {
            try tunnel.send(NativeCommand.setSinkInputVolume, 20, at: start) { message in
                message.integer(0)
                message.volumes(levels)
            }
            return tunnel.takeEvents()
        }
        #expect(try set([32_768]) == [.volume(MixerVolume(percent: 50, isMuted: false))])
        let many = [UInt32](repeating: 1, count: 31) + [65_536]
        #expect(try set(many) == [.volume(MixerVolume(percent: 100, isMuted: false))])
        #expect(try set([.max]) == [.volume(MixerVolume(percent: 400, isMuted: false))])
        #expect(try set([0, 0]) == [.volume(MixerVolume(percent: 0, isMuted: false))])
        tunnel.conversation.setVolume(MixerVolume(percent: 50, isMuted: false))
        #expect(tunnel.conversation.levels == [32_768, 32_768])
        #expect(throws: WireError.self) { try set([]) }
    }

    @Test("many messages that come at once are all answered, in order")
    func flood() throws {
        var tunnel = try opened()
        let tags = Array(UInt32(100)..<400)
        let bytes = tags.flatMap { tag in Tunnel.message(NativeCommand.serverInfo, tag) }
        try tunnel.send(bytes, at: start)
        let answers = tunnel.messages.suffix(tags.count)
        #expect(answers.map { $0.tag } == tags)
        #expect(answers.allSatisfy { $0.command == NativeCommand.reply })
    }

    @Test("sound stays on its line while the clock is read late or twice")
    func reading() throws {
        var tunnel = try opened()
        var next = time(500)
        for milliseconds in [0, 0, 7, 7, 60, 61, 61, 100] {
            let now = time(milliseconds)
            tunnel.wake(at: now)
            tunnel.wake(at: now)
            if tunnel.wanted > 0 { try tunnel.sendSound(frames: tunnel.wanted / 8, at: now) }
            for case .sound(let block, let heardAt) in tunnel.takeEvents() {
                #expect(abs(heardAt.since(next).inSeconds) < 1e-6)
                next = heardAt.advanced(by: block.duration)
            }
        }
        #expect(abs(next.since(time(630)).inSeconds) < 0.001)
    }

    private static func marks(_ text: String) -> (single: Int, double: Int) {
        var (single, double, isEscaped) = (0, 0, false)
        for scalar in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                single += scalar == "'" ? 1 : 0
                double += scalar == "\"" ? 1 : 0
            }
        }
        return (single, double)
    }

    @Test(
        "no title and no icon ends the text that it stands in",
        arguments: [
            "'", "\"", "\\", "\\'", "\\\\\"", "' sink_name=x", "\" media.role=\"x", "\u{301}'\u{301}\"",
            "a\u{0}b",
            "\n'\r", "$(id)", "`id`", "%s", "\u{202E}'", String(repeating: "\\", count: 199) + "'",
            String(repeating: "'", count: 500),
        ])
    func hostileTitle(title: String) {
        let arguments = ModuleArguments(name: title, title: title, icon: title, hertz: 1, socket: "/s")
        let text = arguments.text
        let marks = Self.marks(text)
        #expect(marks.single == 2 && marks.double == 4, "\(text)")
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        let name = ModuleArguments.identifier(title)
        #expect(!name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(text.hasPrefix("server=unix:/s sink_name=\(name) format="))
    }
}
