import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// A start of the timeline.
struct EngineStart: Sendable {
    var rate: Float
    /// Timeline time to start at; `nil` for the current time.
    var time: CMTime?
    /// Host time at which the start is to be heard; `nil` for as soon as possible.
    var host: HostTime?
    /// Whether the outputs play the sound they have at another rate too.
    var keepsSound = false
    /// Whether the start waits until the outputs have enough; `nil` for as before.
    var waitsForData: Bool?
}

/// A piece of work for the driver, to be carried out in order.
enum EngineAction: Sendable {
    // Feeds
    case open(FeedID, ItemID, FeedSelection, from: CMTime?)
    case close(FeedID)
    case read(FeedID, until: CMTime)
    case seek(FeedID, to: CMTime)
    case select(FeedID, FeedSelection)
    // The render queue
    /// Call ``PlayerEngine/deliver(_:)`` whenever the render queue wants more.
    case request
    case pauseRequests
    case endOfData
    case flush
    /// Answer by ``OutputEvents/spliced(_:generation:)``.
    case splice(from: CMTime, generation: Int)
    case setPlaying(Bool)
    // The timeline
    case forgetRate
    /// Stops time, at this time if it is numeric.
    case hold(at: CMTime)
    case start(EngineStart)
    /// Report the line to observers: another item is audible.
    case announceLine
    // Items
    /// - Parameter isOrdered: Observers must see this state before what follows.
    indirect case publish(ItemID, ItemState, isOrdered: Bool)
    case post(ItemID, ItemNotice)
    case showTitles(ItemID, [(time: CMTime, title: TimedTitle)])
    /// The item is no longer audible.
    case stopLine(ItemID)
    case resetStartTime(ItemID)
    /// The queue no longer has the item, which resumes at this item time.
    case release(ItemID, at: CMTime)
    // Observers
    case rateChanged(PlayerEngine.RateReason)
    case complete(RequestID, Bool)
    case editWasLate
    case place([EnginePlace])
    case warn(ItemID, MediaWarning)

    /// Whether the driver must carry the action out before the next step: that samples its effect, or
    /// observers must see it first.
    var isBarrier: Bool {
        switch self {
        case .read, .request, .pauseRequests, .setPlaying, .showTitles, .place, .warn: false
        case .publish(_, _, let isOrdered): isOrdered
        default: true
        }
    }
}

/// An item on the timeline, with the timeline time of its time 0.
struct EnginePlace: Equatable, Sendable {
    let item: ItemID
    let start: CMTime
}

/// The next step of feeding the render queue.
enum EngineDelivery: Sendable {
    /// Take a buffer of this feed, ask for its ``EnginePlacement``, and enqueue it.
    case take(FeedID)
    /// Carry out the actions and ask again.
    case again
    /// Nothing is there to be given.
    case stop
}

/// The place of a buffer on the timeline.
struct EnginePlacement: Sendable {
    var time: CMTime
    /// Time to trim at the end; `nil` for none.
    var trim: CMTime?
    /// Nothing of the buffer is heard.
    var isDropped: Bool
    var pitch: PitchTreatment
    /// The volume over timeline time; `nil` if it is 1 for all of the buffer.
    var volume: VolumeCurve?
}

/// The world at one instant, sampled by the driver after all earlier actions took effect.
struct EngineMoment: Sendable {
    var now = HostTime(nanoseconds: 0)
    var outputs = OutputSample()
    /// The states of the open feeds; a feed that was not sampled counts as not open yet.
    var feeds: [FeedID: ItemFeedState] = [:]
}
