import TuttiMediaTime
import TuttiPCM

/// The destination of a virtual device's frames.
protocol VirtualSink: Sendable {
    /// Prepares the sink before the first frame. Runs on the thread that starts the output.
    mutating func open() throws(OutputError)
    /// Takes one period. After an error the sink keeps the unwritten frames; see ``retry()``.
    mutating func take(_ frames: UnsafeBufferPointer<Float>, at time: DeviceTime) throws(OutputError)
    /// Writes the frames that ``take(_:at:)`` could not write.
    mutating func retry() throws(OutputError)
    /// Closes the sink, ignoring errors.
    mutating func close()
}

/// A virtual device without its thread: renders every due period and passes it to a sink.
struct VirtualDevice<Sink: VirtualSink>: Sendable {
    /// The thread's duties after ``advance(to:source:)``.
    struct Step: Equatable {
        /// Host time of the next call; may be in the past.
        var wake: HostTime
        /// State change to report to the source.
        var change: OutputState?
    }

    /// Back-off after a failure of the sink.
    static var retryInterval: Duration { .seconds(1) }
    /// Maximum number of periods per step, so that an output that has fallen behind can still be stopped.
    static var burstLimit: Int { 32 }

    private var dac: VirtualDAC
    private(set) var sink: Sink
    private var retryTime: HostTime?
    private var frames: [Float]

    init(dac: VirtualDAC, channelCount: Int, sink: Sink) {
        self.dac = dac
        self.sink = sink
        frames = Array(repeating: 0, count: dac.periodFrames * channelCount)
    }

    /// Prepares the sink; the first period is due at `now`.
    mutating func open(at now: HostTime) throws(OutputError) {
        try sink.open()
        dac.restart(at: now)
    }

    mutating func close() { sink.close() }

    /// Renders the periods that are due at `now`, or retries after a failure.
    mutating func advance(to now: HostTime, source: any RenderSource) -> Step {
        if let retryTime {
            guard now >= retryTime else { return Step(wake: retryTime) }
            return recover(at: now)
        }
        for _ in 0..<Self.burstLimit {
            guard let time = dac.nextPeriod(at: now) else { break }
            do throws(OutputError) {
                try render(source, at: time)
            } catch {
                return lose(because: error, at: now)
            }
        }
        return Step(wake: dac.nextDueTime)
    }

    private mutating func render(_ source: any RenderSource, at time: DeviceTime) throws(OutputError) {
        let frameCount = dac.periodFrames
        frames.withUnsafeMutableBufferPointer { source.render($0, frameCount: frameCount, at: time) }
        try frames.withUnsafeBufferPointer { (frames) throws(OutputError) in try sink.take(frames, at: time) }
    }

    private mutating func lose(because error: OutputError, at now: HostTime) -> Step {
        let time = now.advanced(by: Self.retryInterval)
        retryTime = time
        return Step(wake: time, change: .lost(reason: error.description))
    }

    private mutating func recover(at now: HostTime) -> Step {
        do throws(OutputError) {
            try sink.retry()
        } catch {
            let time = now.advanced(by: Self.retryInterval)
            retryTime = time
            return Step(wake: time)
        }
        retryTime = nil
        dac.restart(at: now)
        return Step(wake: now, change: .running)
    }
}
