import AVFoundation
import Codecs
import Playback

/// The tracks of one `tutti play`, on one continuous timeline, and the sample buffers made of them.
///
/// Belongs to the player's serial queue. Each track begins where the one before it really ended, so joins
/// have no gap; a track's place on the timeline is known once the feeding has come to it.
final class PlayQueue {
    struct Item {
        let path: String
        var info: MediaInfo?
        /// Timeline time of the first frame.
        var start: CMTime?
        /// Timeline time after the last frame, once the file has been read to its end.
        var end: CMTime?
        var failure: String?
    }

    /// What feeding brought.
    enum Step {
        case buffer(CMSampleBuffer)
        /// The item could not be opened, or broke off.
        case failed(index: Int, message: String)
        /// A new item begins.
        case began(index: Int)
        /// Something is odd about the item, which plays all the same.
        case warned(message: String)
        case endOfQueue
    }

    private(set) var items: [Item]
    /// The item whose samples come next.
    private(set) var feeding = 0
    private var source: PacketSource?
    /// What a jump found, told by the next step.
    private var announcement: Step?
    /// Where the next item begins.
    private var nextStart = CMTime.zero

    init(paths: [String]) {
        items = paths.map { Item(path: $0) }
    }

    /// The item heard at `time`.
    func index(at time: CMTime) -> Int? {
        items.lastIndex { item in
            guard let start = item.start, item.failure == nil else { return false }
            return start <= time
        }
    }

    /// End of everything, once all has been read.
    var end: CMTime? {
        feeding >= items.count ? nextStart : nil
    }

    // MARK: Feeding

    func next() -> Step {
        if let step = announcement {
            announcement = nil
            return step
        }
        guard feeding < items.count else { return .endOfQueue }
        guard let source else { return open(at: .zero) }
        do throws(MediaError) {
            if let buffer = try source.nextBuffer() { return .buffer(buffer) }
            let warning = source.warnings.last
            let name = items[feeding].path
            finish(source)
            return warning.map { .warned(message: "\(name): \($0)") } ?? next()
        } catch {
            let index = feeding
            items[index].failure = "\(error)"
            finish(source)
            return .failed(index: index, message: "\(error)")
        }
    }

    private func finish(_ source: PacketSource) {
        items[feeding].end = source.end
        nextStart = source.end
        self.source = nil
        feeding += 1
    }

    private func open(at position: CMTime) -> Step {
        let index = feeding
        do throws(MediaError) {
            let start = items[index].start ?? nextStart
            let opened = try PacketSource(path: items[index].path, start: start, position: position)
            items[index].info = opened.info
            items[index].start = start
            items[index].failure = nil
            source = opened
            return .began(index: index)
        } catch {
            items[index].failure = "\(error)"
            feeding += 1
            return .failed(index: index, message: "\(error)")
        }
    }

    // MARK: Moving

    /// Goes on feeding from `position` in item `index`.
    ///
    /// - Returns: the timeline time of that place.
    func jump(to index: Int, position: CMTime) -> CMTime {
        let isNew = source == nil || index != feeding
        (source, announcement) = (nil, nil)
        feeding = index
        guard items.indices.contains(index) else { return nextStart }
        let start = items[index].start ?? nextStart
        for later in items.indices where later > index { (items[later].start, items[later].end) = (nil, nil) }
        items[index].start = start
        let step = open(at: position)
        if case .failed = step {
            announcement = step
            return start
        }
        if isNew { announcement = step }
        return start + position
    }

    // MARK: Editing

    /// Takes an item out. What comes after it has to be fed again.
    ///
    /// - Parameter current: the item that is heard; what comes before it is over.
    /// - Returns: the timeline time from which the queue's sound is void; `nil` when the item was never fed,
    ///   or is over.
    func remove(_ index: Int, playing current: Int? = nil) -> CMTime? {
        let void = items[index].start
        items.remove(at: index)
        if index < feeding, void == nil || index < current ?? 0 {
            feeding -= 1
            return nil
        }
        if feeding > index || (feeding == index && source != nil) { rewind(to: index, at: void) }
        return void
    }

    /// Puts an item in before `index`.
    ///
    /// - Parameter current: the item that is heard; an item before it is not heard any more.
    /// - Returns: the timeline time from which the queue's sound is void; `nil` when nothing after it was fed.
    func insert(_ path: String, at index: Int, playing current: Int? = nil) -> CMTime? {
        if let current, index <= current, index <= feeding, current < items.count {
            items.insert(Item(path: path), at: index)
            feeding += 1
            return nil
        }
        // An item that could not be opened has no time; the sound goes on at that of the one after it.
        let void = items[index...].lazy.compactMap(\.start).first ?? (feeding >= index ? nextStart : nil)
        items.insert(Item(path: path), at: index)
        if feeding > index || (feeding == index && source != nil) { rewind(to: index, at: void) }
        return index == items.count - 1 ? nil : void
    }

    private func rewind(to index: Int, at time: CMTime?) {
        (source, announcement) = (nil, nil)
        feeding = index
        if let time { nextStart = time }
        for later in items.indices where later >= index {
            (items[later].start, items[later].end) = (nil, nil)
        }
    }
}
