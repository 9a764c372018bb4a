import Codecs
import CoreMedia
import MediaTime

extension PlayerEngine {
    /// An observable property of the player.
    package enum Property: String, Sendable, CaseIterable {
        case currentItem, items, rate, timeControlStatus, reasonForWaitingToPlay, status, error
    }

    /// The player's action at the end of an item.
    package enum EndAction: Sendable { case advance, pause, none }

    /// The player's status, as `AVPlayer.status`.
    package enum Status: Int, Sendable { case unknown, readyToPlay, failed }

    /// The cause of a rate change.
    package enum RateReason: Sendable { case asked, failed, interrupted, ended }

    /// A start of the timeline.
    struct Start: Sendable {
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
    enum Action: Sendable {
        // Feeds
        case open(FeedID, ItemID, stream: Int?, from: CMTime?)
        case close(FeedID)
        case read(FeedID, until: CMTime)
        case seek(FeedID, to: CMTime)
        case select(FeedID, stream: Int?)
        // The render queue
        /// Call ``PlayerEngine/deliver(_:)`` whenever the render queue wants more.
        case request
        case pauseRequests
        case endOfData
        case flush
        /// Answer by ``PlayerEngine/spliced(_:generation:)``.
        case splice(from: CMTime, generation: Int)
        case setPlaying(Bool)
        // The timeline
        case forgetRate
        /// Stops time, at this time if it is numeric.
        case hold(at: CMTime)
        case start(Start)
        /// Report the line to observers: another item is audible.
        case announceLine
        // Items
        /// - Parameter isOrdered: observers must see this state before what follows.
        indirect case publish(ItemID, ItemState, isOrdered: Bool)
        case post(ItemID, ItemNotice)
        case showTitles(ItemID, [(time: CMTime, title: TimedTitle)])
        /// The item is no longer audible.
        case stopLine(ItemID)
        case resetStartTime(ItemID)
        /// The queue no longer has the item, which resumes at this item time.
        case release(ItemID, at: CMTime)
        // Observers
        case rateChanged(RateReason)
        case complete(RequestID, Bool)
        case editWasLate
        case place([Place])
        case warn(ItemID, MediaWarning)

        /// Whether the action must be carried out before the engine goes on: it changes the world that the
        /// engine looks at, or what follows must not be seen before it.
        var isBarrier: Bool {
            switch self {
            case .read, .request, .pauseRequests, .setPlaying, .showTitles, .place, .warn: false
            case .publish(_, _, let isOrdered): isOrdered
            default: true
            }
        }
    }

    /// An item on the timeline, with the timeline time of its time 0.
    struct Place: Equatable, Sendable {
        let item: ItemID
        let start: CMTime
    }

    /// The next step of feeding the render queue.
    enum Delivery: Sendable {
        /// Take a buffer of this feed, ask for its ``Placement``, and enqueue it.
        case take(FeedID)
        /// Carry out the actions and ask again.
        case again
        /// Nothing is there to be given.
        case stop
    }

    /// The place of a buffer on the timeline.
    struct Placement: Sendable {
        var time: CMTime
        /// Time to trim at the end; `nil` for none.
        var trim: CMTime?
        /// Nothing of the buffer is heard.
        var isDropped: Bool
        var pitch: PitchTreatment
    }

    /// The world at one instant, sampled by the driver after all earlier actions took effect.
    struct Moment: Sendable {
        var now = HostTime(nanoseconds: 0)
        var outputs = OutputSample()
        /// The states of the open feeds; a feed that was not sampled counts as not open yet.
        var feeds: [FeedID: ItemFeedState] = [:]
    }
}
