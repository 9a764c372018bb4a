public import AudioOutput
public import MediaTime
internal import Synchronization
internal import SystemIO

/// The output of one speaker, for one stream after the other, or of a program, for several at once.
///
/// It asks its ``AudioOutput`` for nothing and gives it everything: the output runs from ``start()`` to ``stop()``,
/// and hears silence while there is no stream. A thread of its own mixes a little ahead of the device.
public final class SpeakerOutput: RenderSource {
    /// Below that of the clock and of outputs, above everything ordinary.
    private static let priority: Int32 = 10

    private let output: any AudioOutput
    private let clock: any ReceiverClock
    private let core: Core
    private let onChange: @Sendable (OutputState) -> Void

    /// What the mixing thread holds; it outlives the speaker's output by a moment.
    private final class Core: Sendable {
        let voices: Voices
        let signal: WakeSignal
        /// By voice.
        let sinks: Mutex<[StreamPlayout?]>
        let state = Mutex<OutputState>(.running)
        let isStopped = Atomic<Bool>(false)

        init(voices: Voices, signal: WakeSignal) {
            (self.voices, self.signal) = (voices, signal)
            sinks = Mutex(Array(repeating: nil, count: voices.desks.count))
        }

        func run() {
            var poller = SocketPoller(sockets: [], signal: signal)
            var pause: Duration?
            while !isStopped.load(ordering: .acquiring) {
                let deadline = pause.map { SystemClock.now.advanced(by: $0) }
                // Fails only for a descriptor that is none; ours lives as long as this.
                guard (try? poller.wait(until: deadline, onReadable: { _ in })) != nil else { return }
                let now = SystemClock.now
                pause = nil
                for case let sink? in sinks.withLock({ $0 }) {
                    guard let wish = sink.mix(at: now) else { continue }
                    pause = min(pause ?? wish, wish)
                }
            }
        }
    }

    /// - Parameters:
    ///   - voices: streams that can be heard at once, 1 or more.
    ///   - onChange: told when the device is lost or back, on a thread of the output's that may wait; ``state`` says the
    ///     same by then.
    /// - Throws: When the system has no descriptor left.
    public init(
        output: any AudioOutput, clock: any ReceiverClock, voices: Int = 1,
        onChange: @escaping @Sendable (OutputState) -> Void = { _ in }
    ) throws(OutputError) {
        (self.output, self.clock, self.onChange) = (output, clock, onChange)
        do {
            core = Core(voices: Voices(count: max(1, voices), output: output), signal: try WakeSignal())
        } catch {
            throw Self.error(error)
        }
    }

    deinit { core.isStopped.store(true, ordering: .releasing); core.signal.wake() }

    /// Starts the output and the mixing. Call it once.
    public func start() throws(OutputError) {
        let core = core
        do {
            try RealtimeThread.start(name: "playout", priority: Self.priority) { _ in core.run() }
        } catch {
            throw Self.error(error)
        }
        try output.start(self)
    }

    /// Ends the stream, the output and the mixing. Safe to call twice.
    public func stop() {
        let sinks = core.sinks.withLock { sinks in
            defer { sinks = sinks.map { _ in nil } }
            return sinks
        }
        for sink in sinks { sink?.end() }
        core.isStopped.store(true, ordering: .releasing)
        core.signal.wake()
        output.stop()
    }

    /// What has become of the device.
    public var state: OutputState { core.state.withLock { $0 } }

    /// A stream of its own; the one before ends, without a click.
    ///
    /// - Parameter clock: Knows the stream's clock; `nil` is the output's own.
    public func makeSink(
        configuration: PlayoutConfiguration = PlayoutConfiguration(), clock: (any ReceiverClock)? = nil
    ) -> StreamPlayout {
        let sink = sink(on: core.voices.desks[0], configuration, clock)
        core.sinks.withLock { sinks in
            sinks[0]?.end()
            sinks[0] = sink
        }
        return sink
    }

    /// A stream that is heard together with the others; `nil` when all voices are taken. Give it back with
    /// ``remove(_:)``.
    public func addSink(configuration: PlayoutConfiguration) -> StreamPlayout? {
        core.sinks.withLock { sinks in
            guard let voice = sinks.firstIndex(where: { $0 == nil }) else { return nil }
            let sink = sink(on: core.voices.desks[voice], configuration, nil)
            sinks[voice] = sink
            return sink
        }
    }

    /// Ends a stream, without a click, and frees its voice.
    public func remove(_ sink: StreamPlayout) {
        sink.end()
        core.sinks.withLock { sinks in
            if let voice = sinks.firstIndex(where: { $0 === sink }) { sinks[voice] = nil }
        }
    }

    private func sink(
        on desk: RenderDesk, _ configuration: PlayoutConfiguration, _ clock: (any ReceiverClock)?
    ) -> StreamPlayout {
        let signal = core.signal
        return StreamPlayout(
            desk: desk, deviceRate: output.format.sampleRate, periodFrames: output.periodFrames,
            clock: clock ?? self.clock, configuration: configuration, wake: { signal.wake() })
    }

    /// When a frame that is mixed now can be heard at the earliest; before the device's first call, a guess.
    public func earliestPlayTime(at now: HostTime) -> HostTime {
        let hertz = Double(output.format.sampleRate.hertz)
        guard let (time, next) = core.voices.desks[0].deviceTime else {
            return now.advanced(by: Self.coldLead)
        }
        // One period may be asked for while the first is being mixed.
        let frames = Double(next - time.frame + Int64(output.periodFrames))
        let play = time.playTime.advanced(by: .seconds(frames / (hertz * time.rateRatio)))
        return max(play, now).advanced(by: Self.warmLead)
    }

    private static let coldLead = Duration.milliseconds(100)
    private static let warmLead = Duration.milliseconds(5)

    // MARK: RenderSource

    public func render(
        _ destination: UnsafeMutableBufferPointer<Float>, frameCount: Int, at time: DeviceTime
    ) { core.voices.render(destination, frameCount: frameCount, at: time) }

    public func outputChanged(_ state: OutputState) {
        core.state.withLock { $0 = state }
        onChange(state)
    }

    private static func error(_ error: SystemError) -> OutputError {
        OutputError(operation: error.operation, code: error.code, description: "\(error)")
    }
}

/// The desks of streams that are heard at once.
private final class Voices: @unchecked Sendable {
    // Safe to share: `desks` is immutable and safe by itself; `scratch` is touched by `render` alone, which an output
    // calls from one thread at a time.
    let desks: [RenderDesk]
    private let scratch: UnsafeMutableBufferPointer<Float>
    private let scratchFrames: Int

    init(count: Int, output: any AudioOutput) {
        let format = output.format
        desks = (0..<count).map { _ in
            RenderDesk(channelCount: format.channelCount, sampleRate: format.sampleRate)
        }
        scratchFrames = output.periodFrames
        scratch = .allocate(capacity: max(1, scratchFrames) * format.channelCount)
        scratch.initialize(repeating: 0)
    }

    deinit { scratch.deallocate() }

    /// On the render thread. A call is for a period at most, which is what the scratch has room for.
    func render(
        _ destination: UnsafeMutableBufferPointer<Float>, frameCount: Int, at time: DeviceTime
    ) {
        desks[0].render(destination, frameCount: frameCount, at: time)
        var index = 1
        while index < desks.count {
            desks[index].add(
                to: destination, frameCount: min(frameCount, scratchFrames), at: time, scratch: scratch)
            index += 1
        }
    }
}
