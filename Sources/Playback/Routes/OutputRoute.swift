import CoreMedia
import MediaTime

/// Where the sound of one render queue goes: a group of speakers, a local device, or nowhere.
///
/// One client at a time. Every method may be called from any thread, returns at once, and takes effect
/// in the order of the calls; what takes time is told to the client.
public protocol OutputRoute: AnyObject, Sendable {
    /// Makes `client` the one that is told of changes. The route does not keep it alive.
    func attach(_ client: any OutputRouteClient)

    /// Takes a buffer, to be heard at its output presentation time. Never waits; keeps what it is given
    /// even when ``isReadyForMoreData`` is false.
    func enqueue(_ buffer: CMSampleBuffer)

    /// Whether the route wants more. Cheap: read on every turn of a feeding loop.
    var isReadyForMoreData: Bool { get }

    /// Whether enough is queued from `time` on for a start without a hole.
    func hasSufficientData(at time: CMTime) -> Bool

    /// Up to where what was enqueued could be heard by now; `nil`: all of it.
    var playableEnd: CMTime? { get }

    /// Seconds before its time that sound must be enqueued to be heard.
    var leastLead: Double { get }

    /// No more buffers will come: what is queued is all there is.
    func endOfData()

    /// Drops everything queued, here and in the speakers. Time goes on.
    func flush()

    /// Drops everything from `time` on while playback goes on.
    ///
    /// - Parameter done: called once, on any thread: `false` if that time has been heard or is too near, and nothing
    ///   has changed; also when a later ``flush()`` came before it took effect.
    func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void)

    /// Starts so that `time` is heard at `hostTime`, or as soon as every output can, when that is `nil`.
    ///
    /// - Parameters:
    ///   - rate: above 0; presentation seconds in a second. What was enqueued for another rate that was played is not
    ///     queued any more.
    ///   - started: called once, on any thread, with the host time at which `time` will be heard; not
    ///     called if a later ``stop(at:)`` or ``start(at:hostTime:started:)`` comes first.
    func start(
        at time: CMTime, rate: Double, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void)

    /// Silence from now on; `time` is the presentation time that was being heard, or another that the next start will
    /// be at: depth is counted from there, so there may be room for more.
    func stop(at time: CMTime)

    /// While nothing runs: the next start will be at `time`, and depth is counted from there.
    func stand(at time: CMTime)

    /// Scales the samples of this queue, 0 ... 1.
    func setGain(_ gain: Float)

    /// How the pitch is treated at rates other than 1.
    func setPitch(_ pitch: PitchTreatment)

    /// The last call: silence, and the client is told nothing any more.
    ///
    /// - Returns: the buffers that were enqueued and not heard to their end, for another route to go on with; `nil`
    ///   when they are not at hand any more.
    func giveUp(at time: CMTime) -> [CMSampleBuffer]?
}

extension OutputRoute {
    public var playableEnd: CMTime? { nil }
    public var leastLead: Double { 0 }
}

/// The queue behind a route, as the route sees it. Called from any thread, never with a lock held.
public protocol OutputRouteClient: AnyObject, Sendable {
    /// ``OutputRoute/isReadyForMoreData`` may have become true.
    func routeMayTakeMore()
    /// ``OutputRoute/hasSufficientData(at:)`` may have become true.
    func routeGainedData()
    /// Queued data was thrown away; `time` is the first presentation time that was not heard.
    func routeDidFlush(from time: CMTime)
    /// A buffer cannot be played; nothing more will be until ``OutputRoute/flush()``.
    ///
    /// - Parameters:
    ///   - time: of the buffer, if one buffer is to blame.
    ///   - isCurrent: false from the next flush on: what failed is not queued any more. May be called with a lock held.
    func routeDidFail(_ error: any Error, at time: CMTime?, isCurrent: @escaping @Sendable () -> Bool)
}

extension OutputRouteClient {
    /// A failure that no flush takes back while it is being told.
    public func routeDidFail(_ error: any Error, at time: CMTime? = nil) {
        routeDidFail(error, at: time, isCurrent: { true })
    }
}
