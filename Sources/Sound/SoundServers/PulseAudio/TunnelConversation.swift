import TuttiMediaTime
import TuttiPCM
import TuttiWire

/// A violation of the native protocol by the program at the other end; malformed bytes are a `WireError`.
enum TunnelError: Error, Equatable {
    /// A command before authentication, or a second stream.
    case outOfTurn(UInt32)
    /// A stream of another form than was asked for.
    case wrongForm(NativeSampleSpecification)
    /// More sound than was asked for, a fraction of a frame, or sound of another stream.
    case unrequestedSound(byteCount: Int)
}

/// The server's side of a connection from PulseAudio's `module-tunnel-sink`, without its socket.
///
/// The tunnel takes this for another PulseAudio with one sink: it asks for the sink's latency, which is how
/// ours is told, and hands on the volume instead of scaling the sound. After every call that changes the
/// value, take ``takeEvents()`` and send ``takeOutput()``.
struct TunnelConversation {
    enum Event: Equatable {
        /// The tunnel has its stream.
        case opened
        case sound(PCMBuffer, heardAt: HostTime)
        /// The sink is suspended: nothing plays there.
        case idle
        case volume(MixerVolume)
    }

    enum Phase { case connected, authenticated, streaming }

    /// The index of the only stream.
    static let stream: UInt32 = 0

    let format: PCMFormat
    private(set) var phase = Phase.connected
    private var reader = NativeFrameReader()
    private var output: [UInt8] = []
    private var events: [Event] = []
    var timeline: TunnelTimeline
    /// The levels that the mixer shows, once known; before that the tunnel keeps those that the desktop
    /// remembers.
    private(set) var levels: [UInt32]?
    private(set) var isMuted = false

    init(sampleRate: SampleRate, latency: Duration) {
        format = PCMFormat(sampleRate: sampleRate, channelCount: 2, sampleFormat: .float32)
        timeline = TunnelTimeline(rate: sampleRate, latency: latency)
    }

    /// Takes bytes as the socket gave them, cut anywhere.
    ///
    /// - Parameter timeOfDay: The time of `now`, for the tunnel's measurement of the way here.
    /// - Throws: An error if the other program is no tunnel; the connection has to be closed.
    mutating func receive(_ bytes: [UInt8], at now: HostTime, timeOfDay: NativeTime) throws {
        reader.append(bytes)
        while let frame = try reader.next() {
            if let channel = frame.channel {
                try takeSound(frame.payload, channel: channel, at: now)
            } else {
                var message = TagReader(frame.payload)
                let command = try message.integer("command")
                let tag = try message.integer("tag")
                try take(command, tag, &message, at: now, timeOfDay: timeOfDay)
            }
        }
    }

    /// The time of the next call of ``wake(at:)``; `nil` while the sink is suspended.
    func nextWake(after now: HostTime) -> HostTime? {
        phase == .streaming && timeline.isRunning ? now.advanced(by: TunnelTimeline.period) : nil
    }

    /// Asks for the sound that is due. Safe to call early or twice.
    mutating func wake(at now: HostTime) {
        let frames = timeline.request(at: now)
        guard frames > 0 else { return }
        let byteCount = UInt32(clamping: frames * Int64(format.bytesPerFrame))
        send(NativeCommand.request, NativeCommand.noTag) { message in
            message.integer(Self.stream)
            message.integer(byteCount)
        }
    }

    /// Returns what happened since the last call, in order.
    mutating func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    /// Returns bytes to send.
    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    // MARK: From this side

    /// Changes the latency, and has the tunnel ask for it.
    mutating func setLatency(_ latency: Duration) {
        timeline.latency = latency
        if phase == .streaming { askForQuestion() }
    }

    /// Has the tunnel ask for the latency at once.
    private mutating func askForQuestion() {
        send(NativeCommand.started, NativeCommand.noTag) { $0.integer(Self.stream) }
    }

    /// Records what the mixer shows when the output was made.
    mutating func noteVolume(levels: [UInt32], isMuted: Bool) {
        guard self.levels == nil, let percent = PulseLevels.slider(levels) else { return }
        (self.levels, self.isMuted) = (levels, isMuted)
        events.append(.volume(MixerVolume(percent: percent, isMuted: isMuted)))
    }

    /// Changes what the mixer shows: has the tunnel ask for it.
    mutating func setVolume(_ volume: MixerVolume) {
        levels = PulseLevels.levels(volume.percent, balancedLike: levels ?? [])
        isMuted = volume.isMuted
        guard phase == .streaming else { return }
        send(NativeCommand.subscriptionEvent, NativeCommand.noTag) { message in
            message.integer(NativeCommand.sinkInputChanged)
            message.integer(Self.stream)
        }
    }

    // MARK: From the tunnel

    private mutating func takeSound(_ bytes: [UInt8], channel: UInt32, at now: HostTime) throws {
        let wasRunning = timeline.isRunning
        guard phase == .streaming, channel == Self.stream,
            let block = PCMBuffer(format: format, bytes: bytes),
            let heardAt = timeline.receive(Int64(block.frameCount), at: now)
        else { throw TunnelError.unrequestedSound(byteCount: bytes.count) }
        // The device waited for this sound: its latency is another one now.
        if !wasRunning, timeline.isRunning { askForQuestion() }
        for (part, time) in SoundBlocks.parts(of: block, heardAt: heardAt) {
            events.append(.sound(part, heardAt: time))
        }
    }

    private mutating func take(
        _ command: UInt32, _ tag: UInt32, _ message: inout TagReader, at now: HostTime, timeOfDay: NativeTime
    ) throws {
        switch (phase, command) {
        case (.connected, NativeCommand.authenticate):
            _ = try message.integer("version")
            try message.skipArbitrary("cookie")
            phase = .authenticated
            reply(tag) { $0.integer(NativeCommand.version) }
        case (.connected, _):
            throw TunnelError.outOfTurn(command)
        case (_, NativeCommand.setClientName):
            reply(tag) { $0.integer(1) }
        case (.authenticated, NativeCommand.createPlaybackStream):
            try createStream(tag, &message, at: now)
        case (_, NativeCommand.authenticate), (.authenticated, _), (_, NativeCommand.createPlaybackStream):
            throw TunnelError.outOfTurn(command)
        case (.streaming, _):
            try takeStreaming(command, tag, &message, at: now, timeOfDay: timeOfDay)
        }
    }

    private mutating func createStream(_ tag: UInt32, _ message: inout TagReader, at now: HostTime) throws {
        let form = try message.sampleSpecification("sample specification")
        guard form == .stereo(hertz: format.sampleRate.hertz) else { throw TunnelError.wrongForm(form) }
        try message.skipChannelMap("channel map")
        _ = try message.integer("sink")
        try message.skipText("sink name")
        _ = try message.integer("longest buffer")
        let isCorked = try message.boolean("corked")
        phase = .streaming
        if !isCorked { timeline.start(at: now) }
        let first = UInt32(clamping: timeline.request(at: now) * Int64(format.bytesPerFrame))
        replyStreamCreated(tag, firstRequest: first)
        events.append(.opened)
    }

    private mutating func takeStreaming(
        _ command: UInt32, _ tag: UInt32, _ message: inout TagReader, at now: HostTime, timeOfDay: NativeTime
    ) throws {
        switch command {
        case NativeCommand.playbackLatency:
            _ = try message.integer("stream")
            replyLatency(tag, asked: try message.time("time"), at: now, timeOfDay: timeOfDay)
        case NativeCommand.corkPlaybackStream:
            _ = try message.integer("stream")
            let isCorked = try message.boolean("corked")
            if isCorked, timeline.isRunning {
                events.append(.idle)
                timeline.stop(at: now)
            } else if !isCorked {
                timeline.start(at: now)
            }
            reply(tag)
            wake(at: now)
        case NativeCommand.setSinkInputVolume:
            _ = try message.integer("stream")
            levels = try message.volumes("volume")
            reportVolume()
            reply(tag)
        case NativeCommand.setSinkInputMute:
            _ = try message.integer("stream")
            isMuted = try message.boolean("mute")
            reportVolume()
            reply(tag)
        case NativeCommand.sinkInputInfo: replyStreamInfo(tag)
        case NativeCommand.serverInfo: replyServerInfo(tag)
        case NativeCommand.sinkInfo: replySinkInfo(tag)
        case NativeCommand.subscribe, NativeCommand.setPlaybackStreamName, NativeCommand.drainPlaybackStream,
            NativeCommand.flushPlaybackStream, NativeCommand.triggerPlaybackStream,
            NativeCommand.prebufferPlaybackStream, NativeCommand.updatePlaybackStreamProperties,
            NativeCommand.updateClientProperties:
            reply(tag)
        default:
            send(NativeCommand.error, tag) { $0.integer(NativeCommand.notSupported) }
        }
    }

    private mutating func reportVolume() {
        guard let percent = levels.flatMap(PulseLevels.slider) else { return }
        events.append(.volume(MixerVolume(percent: percent, isMuted: isMuted)))
    }

    mutating func reply(_ tag: UInt32, _ fill: (inout TagWriter) -> Void = { _ in }) {
        send(NativeCommand.reply, tag, fill)
    }

    private mutating func send(_ command: UInt32, _ tag: UInt32, _ fill: (inout TagWriter) -> Void) {
        var message = TagWriter()
        message.integer(command)
        message.integer(tag)
        fill(&message)
        output += NativeFrame.message(message.bytes)
    }
}
