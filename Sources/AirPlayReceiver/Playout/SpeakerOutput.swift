public import AudioOutput
internal import MediaTime
internal import Synchronization
internal import SystemIO

/// The output of one speaker, for one stream after the other.
///
/// It asks its ``AudioOutput`` for nothing and gives it everything: the output runs from ``start()`` to ``stop()``,
/// and hears silence while there is no stream. A thread of its own mixes a little ahead of the device.
public final class SpeakerOutput: RenderSource {
    /// Below that of the clock and of outputs, above everything ordinary.
    private static let priority: Int32 = 10

    private let output: any AudioOutput
    private let clock: any ReceiverClock
    private let core: Core

    /// What the mixing thread holds; it outlives the speaker's output by a moment.
    private final class Core: Sendable {
        let desk: RenderDesk
        let signal: WakeSignal
        let sink = Mutex<StreamPlayout?>(nil)
        let state = Mutex<OutputState>(.running)
        let isStopped = Atomic<Bool>(false)

        init(desk: RenderDesk, signal: WakeSignal) { (self.desk, self.signal) = (desk, signal) }

        func run() {
            var poller = SocketPoller(sockets: [], signal: signal)
            var pause: Duration?
            while !isStopped.load(ordering: .acquiring) {
                let deadline = pause.map { SystemClock.now.advanced(by: $0) }
                // Fails only for a descriptor that is none; ours lives as long as this.
                guard (try? poller.wait(until: deadline, onReadable: { _ in })) != nil else { return }
                let current = sink.withLock { $0 }
                pause = current?.mix(at: SystemClock.now)
            }
        }
    }

    /// - Throws: When the system has no descriptor left.
    public init(output: any AudioOutput, clock: any ReceiverClock) throws(OutputError) {
        (self.output, self.clock) = (output, clock)
        let desk = RenderDesk(
            channelCount: output.format.channelCount, sampleRate: output.format.sampleRate)
        do {
            core = Core(desk: desk, signal: try WakeSignal())
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
        core.sink.withLock { $0.take() }?.end()
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
        let signal = core.signal
        let sink = StreamPlayout(
            desk: core.desk, deviceRate: output.format.sampleRate, periodFrames: output.periodFrames,
            clock: clock ?? self.clock, configuration: configuration, wake: { signal.wake() })
        core.sink.withLock { current in
            current?.end()
            current = sink
        }
        return sink
    }

    // MARK: RenderSource

    public func render(
        _ destination: UnsafeMutableBufferPointer<Float>, frameCount: Int, at time: DeviceTime
    ) { core.desk.render(destination, frameCount: frameCount, at: time) }

    public func outputChanged(_ state: OutputState) { core.state.withLock { $0 = state } }

    private static func error(_ error: SystemError) -> OutputError {
        OutputError(operation: error.operation, code: error.code, description: "\(error)")
    }
}
