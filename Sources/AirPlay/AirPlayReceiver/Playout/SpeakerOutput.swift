import Synchronization
import TuttiAudioOutput
import TuttiMediaTime
import TuttiSystemIO

/// The audio output of one speaker, for one stream after the other, or of a program, for several at once.
///
/// The output device runs from ``start()`` to ``stop()`` and plays silence while there is no stream. A mixing
/// thread works a little ahead of the device.
package final class SpeakerOutput: RenderSource {
    /// Priority of the mixing thread: below clocks and outputs, above ordinary threads.
    private static let priority: Int32 = 10

    private let output: any AudioOutput
    private let clock: any ReceiverClock
    private let machine: any Machine
    private let core: Core
    private let onChange: @Sendable (OutputState) -> Void

    /// The turns of the mixing thread and their state; may briefly outlive the ``SpeakerOutput``.
    private final class Core: LoopTurns, Sendable {
        let voices: Voices
        let loop: any Loop
        let machine: any Machine
        /// Streams by voice.
        let sinks: Mutex<[StreamPlayout?]>
        let state = Mutex<OutputState>(.running)
        let isStopped = Atomic<Bool>(false)

        init(voices: Voices, loop: any Loop, machine: any Machine) {
            (self.voices, self.loop, self.machine) = (voices, loop, machine)
            sinks = Mutex(Array(repeating: nil, count: voices.desks.count))
        }

        func turn(ready: [Int], _ watch: inout LoopWatch) -> LoopTurn {
            if isStopped.load(ordering: .acquiring) { return .end }
            let now = machine.now
            var pause: Duration?
            for case let sink? in sinks.withLock({ $0 }) {
                guard let wish = sink.mix(at: now) else { continue }
                pause = min(pause ?? wish, wish)
            }
            return .wait(until: pause.map { machine.now.advanced(by: $0) })
        }

        /// Makes the last turn come now.
        func stop() {
            isStopped.store(true, ordering: .releasing)
            loop.wake()
        }
    }

    /// - Parameters:
    ///   - voices: Most streams that can be heard at once, 1 or more.
    ///   - machine: Time, the clock of the output's play times, and the mixing thread.
    ///   - onChange: Called when the device is lost or back, on the output's reporting thread, where the
    ///     callee may block; ``state`` has the new value by then.
    /// - Throws: ``OutputError`` if the system has no descriptor left.
    package init(
        output: any AudioOutput, clock: any ReceiverClock, voices: Int = 1,
        machine: any Machine, onChange: @escaping @Sendable (OutputState) -> Void = { _ in }
    ) throws(OutputError) {
        (self.output, self.clock, self.machine, self.onChange) = (output, clock, machine, onChange)
        do {
            core = Core(
                voices: Voices(count: max(1, voices), output: output), loop: try machine.makeLoop(),
                machine: machine)
        } catch {
            throw Self.error(error)
        }
    }

    deinit { core.stop() }

    /// Starts the output and the mixing thread. Call once.
    package func start() throws(OutputError) {
        let core = core
        do {
            try core.loop.start("playout", priority: Self.priority) { core }
        } catch {
            throw Self.error(error)
        }
        try output.start(self)
    }

    /// Ends the streams, the output and the mixing thread. Idempotent.
    package func stop() {
        let sinks = core.sinks.withLock { sinks in
            defer { sinks = sinks.map { _ in nil } }
            return sinks
        }
        for sink in sinks { sink?.end() }
        core.stop()
        output.stop()
    }

    /// The device's sample rate.
    package var sampleRate: SampleRate { output.format.sampleRate }

    /// The state of the device.
    package var state: OutputState { core.state.withLock { $0 } }

    /// Creates a stream and ends the one before, without a click.
    ///
    /// - Parameter clock: Resolves the clock of the stream; `nil` uses the output's own.
    package func makeSink(
        configuration: PlayoutConfiguration = PlayoutConfiguration(), clock: (any ReceiverClock)? = nil
    ) -> StreamPlayout {
        let sink = sink(on: core.voices.desks[0], configuration, clock)
        core.sinks.withLock { sinks in
            sinks[0]?.end()
            sinks[0] = sink
        }
        return sink
    }

    /// Adds a stream that is mixed with the others; `nil` if all voices are taken. Release the voice with
    /// ``remove(_:)``.
    package func addSink(configuration: PlayoutConfiguration) -> StreamPlayout? {
        core.sinks.withLock { sinks in
            guard let voice = sinks.firstIndex(where: { $0 == nil }) else { return nil }
            // The voice may have the volume of the stream before.
            core.voices.desks[voice].setGain(1)
            let sink = sink(on: core.voices.desks[voice], configuration, nil)
            sinks[voice] = sink
            return sink
        }
    }

    /// Ends a stream, without a click, and frees its voice.
    package func remove(_ sink: StreamPlayout) {
        sink.end()
        core.sinks.withLock { sinks in
            if let voice = sinks.firstIndex(where: { $0 === sink }) { sinks[voice] = nil }
        }
    }

    private func sink(
        on handoff: RenderHandoff, _ configuration: PlayoutConfiguration, _ clock: (any ReceiverClock)?
    ) -> StreamPlayout {
        let loop = core.loop
        return StreamPlayout(
            handoff: handoff, deviceRate: output.format.sampleRate, periodFrames: output.periodFrames,
            clock: clock ?? self.clock, configuration: configuration, machine: machine,
            wake: { loop.wake() })
    }

    /// Returns the earliest host time at which a frame mixed now can be heard; an estimate before the
    /// device's first call.
    package func earliestPlayTime(at now: HostTime) -> HostTime {
        let hertz = Double(output.format.sampleRate.hertz)
        guard let (time, next) = core.voices.desks[0].deviceTime else {
            return now.advanced(by: Self.coldLead)
        }
        // The output may request one period while the first is being mixed.
        let frames = Double(next - time.frame + Int64(output.periodFrames))
        let play = time.playTime.advanced(by: .seconds(frames / (hertz * time.rateRatio)))
        return max(play, now).advanced(by: Self.warmLead)
    }

    private static let coldLead = Duration.milliseconds(100)
    private static let warmLead = Duration.milliseconds(5)

    // MARK: RenderSource

    package func render(
        _ destination: UnsafeMutableBufferPointer<Float>, frameCount: Int, at time: DeviceTime
    ) { core.voices.render(destination, frameCount: frameCount, at: time) }

    package func outputChanged(_ state: OutputState) {
        core.state.withLock { $0 = state }
        onChange(state)
    }

    private static func error(_ error: SystemError) -> OutputError {
        OutputError(operation: error.operation, code: error.code, description: "\(error)")
    }
}

/// The render desks of the streams that are heard at once.
private final class Voices: @unchecked Sendable {
    // Safe to share: `desks` is immutable and thread-safe; only `render` touches `scratch`, and an output
    // calls that from one thread at a time.
    let desks: [RenderHandoff]
    private let scratch: UnsafeMutableBufferPointer<Float>
    private let scratchFrames: Int

    init(count: Int, output: any AudioOutput) {
        let format = output.format
        desks = (0..<count).map { _ in
            RenderHandoff(channelCount: format.channelCount, sampleRate: format.sampleRate)
        }
        scratchFrames = output.periodFrames
        scratch = .allocate(capacity: max(1, scratchFrames) * format.channelCount)
        scratch.initialize(repeating: 0)
    }

    deinit { scratch.deallocate() }

    /// Mixes all voices. Render thread only; a call covers at most one period, the size of `scratch`.
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
