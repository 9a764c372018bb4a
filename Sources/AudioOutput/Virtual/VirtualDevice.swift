internal import MediaTime
internal import PCM

/// Where the frames of a virtual device go.
protocol VirtualSink: Sendable {
    /// Makes it ready, before the first frame. On the thread that starts the output.
    mutating func open() throws(OutputError)
    /// Takes one period. After an error the sink still holds what it could not put down; see ``retry()``.
    mutating func take(_ frames: UnsafeBufferPointer<Float>, at time: DeviceTime) throws(OutputError)
    /// Tries again to put down what ``take(_:at:)`` could not.
    mutating func retry() throws(OutputError)
    /// Ends it; no error helps any more.
    mutating func close()
}

/// A virtual device without its thread: asks a source for every period that is due and hands it to a sink.
struct VirtualDevice<Sink: VirtualSink>: Sendable {
    /// What the thread has to do after ``advance(to:source:)``.
    struct Step: Equatable {
        /// Call again then; may lie in the past.
        var wake: HostTime
        /// To be told to the source.
        var change: OutputState?
    }

    /// How long a sink that failed is left alone.
    static var retryInterval: Duration { .seconds(1) }
    /// Periods asked for in one step, so that an output that has fallen behind can still be stopped.
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

    /// Makes the sink ready; the first period is due at `now`.
    mutating func open(at now: HostTime) throws(OutputError) {
        try sink.open()
        dac.restart(at: now)
    }

    mutating func close() { sink.close() }

    /// Does what is due at `now`.
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
