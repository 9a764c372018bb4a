import CoreMedia
import Dispatch
import Foundation
import Playback
import Synchronization
import TuttiCodecs
import TuttiKeyValueObserving
import TuttiSystemIO

/// An output that hands out an item's pictures, as pixel buffers, to a program that draws them itself.
///
/// The program asks at each refresh of its display: ``AVPlayerItemOutput/itemTime(forHostTime:)`` of the moment at which it
/// will be seen, ``hasNewPixelBuffer(forItemTime:)``, then ``copyPixelBuffer(forItemTime:itemTimeForDisplay:)``. Callable
/// from any thread.
open class AVPlayerItemVideoOutput: AVPlayerItemOutput, @unchecked Sendable {
    // Safe to share: mutable state has a lock, like the maker.

    private struct State {
        var key: Int?
        var observed: TimebaseObservation?
        var notice = PullNotice()
        var receiver = WeakDelegate<any AVPlayerItemOutputPullDelegate>(nil)
        var queue: DispatchQueue?
    }

    private let state = Mutex(State())
    private let maker: Mutex<PixelBufferMaker>
    private let wakeUp = QueueWakeUp(on: SerialQueue(label: "tutti.pictures.output", qos: .userInitiated))

    /// Creates an output of buffers with the given attributes: `kCVPixelBufferPixelFormatTypeKey`, a number or a list of
    /// numbers, `kCVPixelBufferWidthKey` and `kCVPixelBufferHeightKey`. `nil` for the decoder's own pictures.
    public init(pixelBufferAttributes: [String: any Sendable]? = nil) {
        let attributes = PixelAttributes(pixelBufferAttributes ?? [:])
        maker = Mutex(
            PixelBufferMaker(
                formats: attributes.formats, width: attributes.width, height: attributes.height))
        super.init()
    }

    /// Creates an output of buffers with the attributes of a settings dictionary.
    public convenience init(outputSettings: [String: any Sendable]?) {
        self.init(pixelBufferAttributes: outputSettings)
    }

    override func wasAttached(to item: AVPlayerItem) {
        let key = item.pictures.add(to: item) { [weak self] in self?.picturesCame() }
        let observed = TimebaseObservation(
            item.core.timebase, jumped: { [weak self] in self?.timeJumped() },
            changed: { [weak self] in self?.picturesCame() })
        let old = state.withLock { state in
            defer { (state.key, state.observed) = (key, observed) }
            state.notice.reset()
            return state.key
        }
        if let old { item.pictures.remove(old) }
    }

    override func wasDetached(from item: AVPlayerItem) {
        let key = state.withLock { state in
            defer { (state.key, state.observed) = (nil, nil) }
            return state.key
        }
        if let key { item.pictures.remove(key) }
    }

    /// Returns whether there is a picture for an item time, another than that copied last.
    open func hasNewPixelBuffer(forItemTime itemTime: CMTime) -> Bool {
        guard let picture = item?.pictures.feed?.picture(at: itemTime) else { return false }
        noteAsked(itemTime)
        return state.withLock { $0.notice.isNew(picture.time) }
    }

    /// Returns the picture that is shown at an item time; `nil` while it is not decoded, which the delegate is told of
    /// after ``requestNotificationOfMediaDataChange(withAdvanceInterval:)``.
    ///
    /// - Parameter itemTimeForDisplay: Gets the item time from which the picture is shown.
    open func copyPixelBuffer(
        forItemTime itemTime: CMTime, itemTimeForDisplay outItemTimeForDisplay: UnsafeMutablePointer<CMTime>?
    ) -> CVPixelBuffer? {
        guard let feed = item?.pictures.feed, let picture = feed.picture(at: itemTime) else { return nil }
        let orientation = feed.state.parameters?.orientation ?? .upright
        // A picture that cannot be converted counts as none.
        let buffer = maker.withLock { try? $0.make(picture.image, orientation: orientation) }
        guard let buffer else { return nil }
        noteAsked(itemTime)
        state.withLock { $0.notice.copy(picture.time) }
        outItemTimeForDisplay?.pointee = picture.time
        return buffer
    }

    /// Returns the item time at a time stamp of a display, whose host time counts nanoseconds.
    open func itemTime(for timestamp: CVTimeStamp) -> CMTime {
        itemTime(forMachAbsoluteTime: Int64(clamping: timestamp.hostTime))
    }

    // MARK: Delegate

    /// - Parameters:
    ///   - delegate: Held weakly.
    ///   - delegateQueue: The serial queue that calls the delegate; `nil` means the main queue.
    open func setDelegate(
        _ delegate: (any AVPlayerItemOutputPullDelegate)?, queue delegateQueue: DispatchQueue?
    ) {
        let receiver = WeakDelegate<any AVPlayerItemOutputPullDelegate>(delegate)
        let queue = delegate == nil ? nil : delegateQueue ?? .main
        state.withLock { ($0.receiver, $0.queue) = (receiver, queue) }
    }

    /// The receiver of notifications; held weakly.
    open var delegate: (any AVPlayerItemOutputPullDelegate)? { state.withLock { $0.receiver }.delegate }

    /// The queue that calls the delegate; `nil` without a delegate.
    open var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// Asks that the delegate be told, once, when a new picture is at hand.
    ///
    /// - Parameter interval: Ignored: the delegate is notified as soon as the picture is decoded.
    open func requestNotificationOfMediaDataChange(withAdvanceInterval interval: TimeInterval) {
        state.withLock { $0.notice.request() }
        picturesCame()
    }

    private func picturesCame() {
        while let item, let look = state.withLock({ $0.notice.look }) {
            let (now, rate) = item.core.timebase.timeAndRate
            let feed = item.pictures.feed
            let (picture, next) = (feed?.picture(at: now), feed?.next(after: now))
            // A picture that ended before now is held because a later one is not decoded yet.
            let found = picture.flatMap { now < $0.end || next != nil ? $0.time : nil }
            switch state.withLock({ $0.notice.end(look, found: found) }) {
            case .tell: return tell { $0.outputMediaDataWillChange($1) }
            case .wait:
                // A picture that is decoded already becomes the present one without a call of the feed.
                guard rate > 0, let next else { return }
                let seconds = min(max(0, (next.time - now).seconds / rate), 1)
                return wakeUp.set(after: .nanoseconds(Int64((seconds * 1e9).rounded(.up)))) { [weak self] in
                    self?.picturesCame()
                }
            case .lookAgain: continue
            }
        }
    }

    private func timeJumped() {
        guard let time = item?.core.timebase.time else { return }
        if state.withLock({ $0.notice.jump(to: time) }) { tell { $0.outputSequenceWasFlushed($1) } }
    }

    /// Notes that the program asks for the picture of an item time.
    private func noteAsked(_ time: CMTime) {
        if state.withLock({ $0.notice.ask(at: time) }) { tell { $0.outputSequenceWasFlushed($1) } }
    }

    private func tell(
        _ body: @escaping @Sendable (any AVPlayerItemOutputPullDelegate, AVPlayerItemOutput) -> Void
    ) {
        let (queue, receiver) = state.withLock { ($0.queue, $0.receiver) }
        queue?.async { [self] in
            if let delegate = receiver.delegate { body(delegate, self) }
        }
    }
}

/// A delegate that is told when it can ask an output for pictures.
public protocol AVPlayerItemOutputPullDelegate: NSObjectProtocol {
    /// Tells that a new picture is at hand. Called on the delegate's queue.
    func outputMediaDataWillChange(_ sender: AVPlayerItemOutput)

    /// Invalidates all earlier pictures, because time jumped. Called on the delegate's queue.
    func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension AVPlayerItemOutputPullDelegate {
    /// Does nothing.
    public func outputMediaDataWillChange(_ sender: AVPlayerItemOutput) {}
    /// Does nothing.
    public func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
}
