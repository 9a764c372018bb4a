import TuttiMediaTime
import TuttiWire

@testable import TuttiSoundServers

/// The tunnel's side of a conversation, as PulseAudio 16.1 speaks version 13 of the protocol.
struct Tunnel {
    var conversation: TunnelConversation
    private var reader = NativeFrameReader()
    private(set) var events: [TunnelConversation.Event] = []
    /// Messages of the server since the last look, without the command and the tag.
    private(set) var messages: [(command: UInt32, tag: UInt32, body: [UInt8])] = []
    /// Bytes that the server has asked for and not received.
    var wanted = 0

    init(latency: Duration, rate: SampleRate = .hz44100) {
        conversation = TunnelConversation(sampleRate: rate, latency: latency)
    }

    mutating func send(_ bytes: [UInt8], at now: HostTime) throws {
        defer { look() }
        try conversation.receive(
            bytes, at: now, timeOfDay: NativeTime(seconds: 1_000, microseconds: 0))
    }

    mutating func send(
        _ command: UInt32, _ tag: UInt32, at now: HostTime, _ fill: (inout TagWriter) -> Void = { _ in }
    ) throws {
        try send(Self.message(command, tag, fill), at: now)
    }

    mutating func sendSound(frames: Int, channel: UInt32 = 0, at now: HostTime) throws {
        try send(Self.block(byteCount: frames * 8, channel: channel), at: now)
        wanted -= frames * 8
    }

    mutating func wake(at now: HostTime) {
        conversation.wake(at: now)
        look()
    }

    /// Authenticates and creates the stream.
    mutating func open(at now: HostTime, isCorked: Bool = false) throws {
        try send(Self.authentication + Self.creation(isCorked: isCorked), at: now)
        var created = take(tag: 3)
        _ = try created?.integer("stream")
        _ = try created?.integer("sink input")
        wanted += Int(try created?.integer("first request") ?? 0)
    }

    mutating func takeEvents() -> [TunnelConversation.Event] {
        defer { events = [] }
        return events
    }

    /// Returns the answer to a request, or the message without a tag.
    mutating func take(tag: UInt32, command: UInt32 = NativeCommand.reply) -> TagReader? {
        guard let index = messages.firstIndex(where: { $0.tag == tag && $0.command == command }) else {
            return nil
        }
        return TagReader(messages.remove(at: index).body)
    }

    /// Returns the bytes of an answer.
    mutating func takeBytes(tag: UInt32) -> ByteReader? {
        guard let index = messages.firstIndex(where: { $0.tag == tag }) else { return nil }
        return ByteReader(messages.remove(at: index).body)
    }

    mutating func look() {
        events += conversation.takeEvents()
        reader.append(conversation.takeOutput())
        while let frame = try? reader.next() {
            var body = TagReader(frame.payload)
            guard let command = try? body.integer("command"), let tag = try? body.integer("tag") else {
                continue
            }
            if command == NativeCommand.request {
                _ = try? body.integer("stream")
                wanted += (try? body.integer("bytes")).map(Int.init) ?? 0
            } else {
                // Five bytes each for the command and the tag.
                messages.append((command, tag, Array(frame.payload.dropFirst(10))))
            }
        }
    }

    static var authentication: [UInt8] {
        var writer = TagWriter()
        for value in [NativeCommand.authenticate, 1, 35] { writer.integer(value) }
        // 256 bytes, as PulseAudio's cookies have.
        let cookie = [UInt8(ascii: "x"), 0, 0, 1, 0] + [UInt8](repeating: 7, count: 256)
        return NativeFrame.message(writer.bytes + cookie)
            + message(NativeCommand.setClientName, 2) { $0.noProperties() }
    }

    static func creation(isCorked: Bool = false, hertz: Int = 44_100) -> [UInt8] {
        message(NativeCommand.createPlaybackStream, 3) { message in
            message.sampleSpecification(.stereo(hertz: hertz))
            message.stereoMap()
            message.integer(.max)
            message.text("kitchen")
            message.integer(.max)
            message.boolean(isCorked)
            for value: UInt32 in [35_280, 35_280, 8_816, 0] { message.integer(value) }
            message.volumes([65_536, 65_536])
            for _ in 0..<9 { message.boolean(false) }
            message.noProperties()
        }
    }

    static func message(
        _ command: UInt32, _ tag: UInt32, _ fill: (inout TagWriter) -> Void = { _ in }
    ) -> [UInt8] {
        var writer = TagWriter()
        writer.integer(command)
        writer.integer(tag)
        fill(&writer)
        return NativeFrame.message(writer.bytes)
    }

    static func block(byteCount: Int, channel: UInt32 = 0) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt32(byteCount))
        writer.integer(channel)
        writer.zeros(12 + byteCount)
        return writer.bytes
    }
}
