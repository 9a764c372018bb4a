import CoreMedia
import TuttiMediaTime

/// The destination of a render queue's sound: a group of speakers, a local device, or none.
///
/// A route has one client at a time. Methods are thread-safe, return at once and take effect in call order;
/// the client is notified of asynchronous results.
package protocol OutputRoute: AnyObject, Sendable {
    /// Makes `client` the recipient of notifications. The route holds it weakly.
    func attach(_ client: any OutputRouteClient)

    /// Takes a buffer, to be heard at its output presentation time. Never blocks; accepts the buffer even if
    /// ``isReadyForMoreData`` is false.
    ///
    /// - Returns: `false`, here and below, if the route was detached before: another one needs the call.
    @discardableResult
    func enqueue(_ buffer: CMSampleBuffer) -> Bool

    /// Whether the route wants more. Cheap: a feeding loop reads it for every buffer.
    var isReadyForMoreData: Bool { get }

    /// Returns whether enough sound is queued from `time` on for a start without an underrun.
    func hasSufficientData(at time: CMTime) -> Bool

    /// End of the enqueued sound that is ready to be heard; `nil`: all of it is ready.
    var playableEnd: CMTime? { get }

    /// Minimum lead, in seconds, by which sound must be enqueued before its time to be heard.
    var leastLead: Double { get }

    /// Signals the end of data: no more buffers follow the queued ones.
    @discardableResult
    func endOfData() -> Bool

    /// Drops all queued sound, here and in the speakers. Time continues.
    @discardableResult
    func flush() -> Bool

    /// Drops sound from `time` on while playback continues.
    ///
    /// - Parameter done: Called once, on any thread. False, with nothing changed, if `time` has been heard or
    ///   is too near, or if a ``flush()`` came before the cut took effect. Not called by a detached route.
    @discardableResult
    func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) -> Bool

    /// Starts so that `time` is heard at `hostTime`; if that is `nil`, as soon as every output can.
    ///
    /// - Parameters:
    ///   - rate: Presentation seconds per second, above 0. Sound that was enqueued for another playing rate
    ///     is dropped.
    ///   - started: Called once, on any thread, with the host time at which `time` will be heard; not called
    ///     if a later ``stop(at:)`` or ``start(at:rate:hostTime:started:)`` comes first.
    func start(
        at time: CMTime, rate: Double, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void)

    /// Silences the output. `time` is the presentation time that was being heard, or that of the next start.
    /// Depth is counted from `time`, so the route may have room for more.
    func stop(at time: CMTime)

    /// Sets the time of the next start while nothing runs; depth is counted from `time`.
    func stand(at time: CMTime)

    /// Scales the samples of this queue by 0 ... 1.
    func setGain(_ gain: Float)

    /// Sets the pitch handling at rates other than 1.
    func setPitch(_ pitch: PitchTreatment)

    /// Detaches the client and silences the output; the last call. The client receives no more notifications.
    ///
    /// - Returns: The buffers not heard to their end, for another route; `nil` if the route no longer has
    ///   them.
    func detach(at time: CMTime) -> [CMSampleBuffer]?
}

extension OutputRoute {
    package var playableEnd: CMTime? { nil }
    package var leastLead: Double { 0 }
}

/// The queue behind a route. Called from any thread, never with a lock held.
package protocol OutputRouteClient: AnyObject, Sendable {
    /// Reports that ``OutputRoute/isReadyForMoreData`` may have become true.
    func routeMayTakeMore()
    /// Reports that ``OutputRoute/hasSufficientData(at:)`` may have become true.
    func routeGainedData()
    /// Reports that queued data was dropped; `time` is the first presentation time that was not heard.
    func routeDidFlush(from time: CMTime)
    /// Reports that a buffer cannot be played. Nothing more plays until ``OutputRoute/flush()``.
    ///
    /// - Parameters:
    ///   - time: Presentation time of the buffer, if a buffer caused the failure.
    ///   - isCurrent: `false` after the next flush, when the failed buffer is no longer queued. May be called
    ///     with a lock held.
    func routeDidFail(_ error: any Error, at time: CMTime?, isCurrent: @escaping @Sendable () -> Bool)
}

extension OutputRouteClient {
    /// Reports a failure that no concurrent flush clears.
    package func routeDidFail(_ error: any Error, at time: CMTime? = nil) {
        routeDidFail(error, at: time, isCurrent: { true })
    }
}
