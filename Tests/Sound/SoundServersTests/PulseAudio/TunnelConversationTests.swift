import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiWire

@testable import TuttiSoundServers

@Suite struct TunnelConversationTests {
    private let start = HostTime(nanoseconds: 5_000_000_000)
    private func time(_ milliseconds: Int) -> HostTime { start.advanced(by: .milliseconds(milliseconds)) }

    /// The latency that a tunnel computes from an answer: the device's, and what lies in the server's buffer.
    private func toldLatency(_ tunnel: inout Tunnel, at now: HostTime) throws -> Double {
        try tunnel.send(NativeCommand.playbackLatency, 50, at: now) { message in
            message.integer(0)
            message.time(NativeTime(seconds: 999, microseconds: 5))
        }
        guard var answer = tunnel.takeBytes(tag: 50) else { return .nan }
        // Each field has a byte for its type.
        try answer.skip(1, field: "type")
        let sink = Double(try answer.integer(UInt64.self, field: "sink")) * 1e-6
        // A source's latency, whether it plays, the time that was asked with, and this side's.
        try answer.skip(9 + 1 + 9 + 9 + 1, field: "times")
        let written = Int64(bitPattern: try answer.integer(UInt64.self, field: "written"))
        try answer.skip(1, field: "type")
        let read = Int64(bitPattern: try answer.integer(UInt64.self, field: "read"))
        return sink + Double(written - read) / 8 / 44_100
    }

    @Test(
        "the told latency is the time until the next frame is heard",
        arguments: [Duration.milliseconds(100), .milliseconds(500), .milliseconds(2_500)])
    func latency(latency: Duration) throws {
        var tunnel = Tunnel(latency: latency)
        try tunnel.open(at: start)
        #expect(tunnel.takeEvents() == [.opened])
        var next: HostTime?
        for step in 1...300 {
            let now = time(10 * step + step % 7)
            tunnel.wake(at: now)
            // The next frame follows those that were received.
            let told = try toldLatency(&tunnel, at: now)
            if let next { #expect(abs(next.since(now).inSeconds - told) < 0.001) }
            if tunnel.wanted > 0 { try tunnel.sendSound(frames: tunnel.wanted / 8, at: now) }
            for case .sound(let block, let heardAt) in tunnel.takeEvents() {
                if let next { #expect(abs(heardAt.since(next).inSeconds) < 1e-6) }
                next = heardAt.advanced(by: block.duration)
                #expect(heardAt.since(now) > latency - .milliseconds(20))
                #expect(block.duration <= .milliseconds(20))
            }
        }
    }

    @Test("a changed latency makes the tunnel ask, and it is told")
    func change() throws {
        var tunnel = Tunnel(latency: .milliseconds(500))
        try tunnel.open(at: start)
        tunnel.conversation.setLatency(.seconds(2))
        tunnel.look()
        #expect(tunnel.take(tag: .max, command: NativeCommand.started) != nil)
        #expect(abs(try toldLatency(&tunnel, at: start) - 2) < 1e-6)
    }

    @Test("a suspended sink is idle, is asked for nothing, and continues when programs play again")
    func suspend() throws {
        var tunnel = Tunnel(latency: .milliseconds(500))
        try tunnel.open(at: start)
        try tunnel.sendSound(frames: tunnel.wanted / 8, at: start)
        _ = tunnel.takeEvents()
        try tunnel.send(NativeCommand.corkPlaybackStream, 9, at: time(10)) { message in
            message.integer(0)
            message.boolean(true)
        }
        #expect(tunnel.takeEvents() == [.idle])
        #expect(tunnel.conversation.nextWake(after: time(10)) == nil)
        tunnel.wake(at: time(20))
        #expect(tunnel.wanted == 0)
        try tunnel.send(NativeCommand.corkPlaybackStream, 10, at: time(9_000)) { message in
            message.integer(0)
            message.boolean(false)
        }
        #expect(tunnel.wanted == 44_100 * 30 / 1_000 * 8)
        try tunnel.sendSound(frames: 100, at: time(9_001))
        guard case .sound(_, let heardAt) = tunnel.takeEvents().first else {
            Issue.record("no sound")
            return
        }
        #expect(heardAt == time(9_500))
    }

    @Test("the mixer keeps the volume that the desktop remembers until it is known")
    func remembered() throws {
        var tunnel = Tunnel(latency: .milliseconds(500))
        try tunnel.open(at: start)
        _ = tunnel.takeEvents()
        try tunnel.send(NativeCommand.sinkInputInfo, 20, at: start) { $0.integer(0) }
        var other = tunnel.take(tag: 20)
        // The tunnel ignores what it is told of another stream.
        #expect(try other?.integer("index") == 1)
        tunnel.conversation.noteVolume(levels: [32_768, 16_384], isMuted: true)
        tunnel.look()
        #expect(tunnel.takeEvents() == [.volume(MixerVolume(percent: 50, isMuted: true))])
        try tunnel.send(NativeCommand.sinkInputInfo, 21, at: start) { $0.integer(0) }
        var own = tunnel.take(tag: 21)
        #expect(try own?.integer("index") == 0)
    }

    @Test("volume and mute of the mixer are events, and those of this side are shown with the balance kept")
    func volume() throws {
        var tunnel = Tunnel(latency: .milliseconds(500))
        try tunnel.open(at: start)
        _ = tunnel.takeEvents()
        try tunnel.send(NativeCommand.setSinkInputVolume, 20, at: start) { message in
            message.integer(0)
            message.volumes([65_536, 32_768])
        }
        try tunnel.send(NativeCommand.setSinkInputMute, 21, at: start) { message in
            message.integer(0)
            message.boolean(true)
        }
        #expect(
            tunnel.takeEvents() == [
                .volume(MixerVolume(percent: 100, isMuted: false)),
                .volume(MixerVolume(percent: 100, isMuted: true)),
            ])
        tunnel.conversation.setVolume(MixerVolume(percent: 50, isMuted: false))
        tunnel.look()
        var event = tunnel.take(tag: .max, command: NativeCommand.subscriptionEvent)
        #expect(try event?.integer("event") == 0x12)
        #expect(tunnel.conversation.levels == [32_768, 16_384])
        #expect(!tunnel.conversation.isMuted)
    }

    @Test("the conversation does not depend on where the stream is cut", arguments: [1, 2, 7, 64, 1_000])
    func anyCut(step: Int) throws {
        let stream = Tunnel.authentication + Tunnel.creation() + Tunnel.block(byteCount: 80)
        var tunnel = Tunnel(latency: .milliseconds(500))
        for index in stride(from: 0, to: stream.count, by: step) {
            try tunnel.send(Array(stream[index..<min(index + step, stream.count)]), at: start)
        }
        #expect(tunnel.takeEvents().count == 2)
    }

    @Test("a program that is no tunnel is refused")
    func refusals() throws {
        for bytes in [
            Tunnel.creation(), Tunnel.block(byteCount: 8), Tunnel.authentication + Tunnel.message(99, 5),
            Tunnel.authentication + Tunnel.authentication,
            Tunnel.authentication + Tunnel.creation(hertz: 48_000),
            Tunnel.authentication + Tunnel.creation() + Tunnel.creation(),
            Tunnel.authentication + Tunnel.creation() + Tunnel.block(byteCount: 9),
            Tunnel.authentication + Tunnel.creation() + Tunnel.block(byteCount: 8, channel: 1),
            Tunnel.authentication + Tunnel.creation() + Tunnel.block(byteCount: 64 << 10),
            Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8),
        ] {
            var tunnel = Tunnel(latency: .milliseconds(500))
            #expect(throws: (any Error).self) { try tunnel.send(bytes, at: start) }
        }
    }

    @Test("an unknown command of a tunnel is answered with an error, and the conversation continues")
    func unknown() throws {
        var tunnel = Tunnel(latency: .milliseconds(500))
        try tunnel.open(at: start)
        try tunnel.send(4_000, 77, at: start)
        #expect(tunnel.take(tag: 77, command: NativeCommand.error) != nil)
        try tunnel.sendSound(frames: 10, at: start)
        #expect(tunnel.takeEvents().count == 2)
    }

    @Test("no truncated or changed message traps", arguments: 0..<40)
    func mutations(seed: UInt64) throws {
        let stream = Tunnel.authentication + Tunnel.creation() + Tunnel.block(byteCount: 80)
        var generator = seed &* 6_364_136_223_846_793_005 &+ 1
        for _ in 0..<200 {
            var changed = stream
            for _ in 0..<3 {
                generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                changed[Int(generator >> 33) % changed.count] = UInt8(truncatingIfNeeded: generator >> 24)
            }
            var tunnel = Tunnel(latency: .milliseconds(500))
            try? tunnel.send(changed, at: start)
            tunnel.wake(at: time(50))
        }
    }
}
