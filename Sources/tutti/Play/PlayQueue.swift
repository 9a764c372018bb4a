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
        /// What a list calls it.
        var title: String?
        var info: MediaInfo?
        /// Timeline time of the first frame.
        var start: CMTime?
        /// Timeline time after the last frame, once the file has been read to its end.
        var end: CMTime?
        var failure: String?
        /// A list inside a list is not looked into.
        var isFromList = false
        /// What a live stream said last that is heard.
        var heardTitle: TimedTitle?

        init(_ input: PlayInput) { (path, title) = (input.path, input.title) }

        var isAddress: Bool { PlayInput(path: path).isAddress }
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
        /// From a time on the timeline a live stream plays this.
        case title(index: Int, TimedTitle, at: CMTime)
        /// Nothing yet: it comes from a network. Ask again.
        case later
        case endOfQueue
    }

    private(set) var items: [Item]
    /// The item whose samples come next.
    private(set) var feeding = 0
    private var source: PacketSource?
    /// Instead of it for addresses.
    private var slow: SlowReading?
    /// What a slow reading brought and was not given yet.
    private var ready: [Step] = []
    /// Where a slow reading begins, and whether it is told of as a new track.
    private var slowBeginning: (position: CMTime, isNew: Bool) = (.zero, true)
    private var warnedCount = 0
    /// What a jump found, told by the next step.
    private var announcement: Step?
    /// Where the next item begins.
    private var nextStart = CMTime.zero

    init(inputs: [PlayInput]) {
        items = inputs.map { Item($0) }
    }

    convenience init(paths: [String]) { self.init(inputs: paths.map { PlayInput(path: $0) }) }

    /// The item heard at `time`.
    func index(at time: CMTime) -> Int? {
        items.lastIndex { item in
            guard let start = item.start, item.failure == nil else { return false }
            return start <= time
        }
    }

    /// A live stream's title is heard from now on.
    func noteHeard(_ title: TimedTitle, of index: Int) {
        if items.indices.contains(index) { items[index].heardTitle = title }
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
        if !ready.isEmpty { return ready.removeFirst() }
        guard feeding < items.count else { return .endOfQueue }
        if items[feeding].isAddress { return nextSlowly() }
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

    // MARK: Addresses

    private func nextSlowly() -> Step {
        let index = feeding
        guard let slow else {
            let reading = SlowReading(
                path: items[index].path, start: items[index].start ?? nextStart,
                position: slowBeginning.position)
            slow = reading
            reading.begin()
            return .later
        }
        switch slow.take() {
        case nil:
            return .later
        case .opened(let info):
            items[index].info = info
            items[index].start = items[index].start ?? nextStart
            items[index].failure = nil
            warnedCount = 0
            slow.begin()
            return slowBeginning.isNew ? .began(index: index) : .later
        case .read(let buffers, let titles, let isAtEnd):
            ready = steps(index, buffers, titles, slow)
            if isAtEnd { finishSlowly(slow) } else { slow.begin() }
            return next()
        case .failed(let error):
            if case .playlist = error, expand(index) { return next() }
            items[index].failure = "\(error)"
            finishSlowly(slow)
            return .failed(index: index, message: "\(error)")
        }
    }

    private func steps(
        _ index: Int, _ buffers: [CMSampleBuffer], _ titles: [TimedTitle], _ slow: SlowReading
    ) -> [Step] {
        let start = items[index].start ?? .zero
        let scale = CMTimeScale(items[index].info?.sampleRate.hertz ?? 44_100)
        let warnings = slow.warnings.dropFirst(warnedCount)
        warnedCount += warnings.count
        return titles.map {
            .title(index: index, $0, at: start + CMTime(value: max(0, $0.frame), timescale: scale))
        } + buffers.map(Step.buffer) + warnings.map { .warned(message: "\(items[index].path): \($0)") }
    }

    private func finishSlowly(_ reading: SlowReading) {
        if items[feeding].failure == nil || items[feeding].start != nil {
            items[feeding].end = reading.end
            nextStart = reading.end
        }
        forgetSlowly()
        feeding += 1
    }

    private func forgetSlowly() {
        slow?.cancel()
        (slow, slowBeginning) = (nil, (.zero, true))
    }

    /// An address whose name does not say so turned out to be a list: its entries take its place.
    private func expand(_ index: Int) -> Bool {
        // May wait: once, and for something small.
        guard !items[index].isFromList, let inputs = try? PlayInputs.entries(of: items[index].path),
            inputs.map(\.path) != [items[index].path]
        else { return false }
        forgetSlowly()
        let entries = inputs.map { input -> Item in
            var item = Item(input)
            item.isFromList = true
            return item
        }
        items.replaceSubrange(index...index, with: entries)
        return true
    }

    // MARK: Files

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
        let isNew =
            (source == nil && (slow == nil || items[min(feeding, items.count - 1)].info == nil))
            || index != feeding
        (source, announcement, ready) = (nil, nil, [])
        forgetSlowly()
        feeding = index
        guard items.indices.contains(index) else { return nextStart }
        let start = items[index].start ?? nextStart
        for later in items.indices where later > index { (items[later].start, items[later].end) = (nil, nil) }
        items[index].start = start
        if items[index].isAddress {
            slowBeginning = (position, isNew)
            return start + position
        }
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
        if feeding > index || (feeding == index && hasBegun) { rewind(to: index, at: void) }
        return void
    }

    /// Puts an item in before `index`.
    ///
    /// - Parameter current: the item that is heard; an item before it is not heard any more.
    /// - Returns: the timeline time from which the queue's sound is void; `nil` when nothing after it was fed.
    func insert(_ path: String, at index: Int, playing current: Int? = nil) -> CMTime? {
        if let current, index <= current, index <= feeding, current < items.count {
            items.insert(Item(PlayInput(path: path)), at: index)
            feeding += 1
            return nil
        }
        // An item that could not be opened has no time; the sound goes on at that of the one after it.
        let void = items[index...].lazy.compactMap(\.start).first ?? (feeding >= index ? nextStart : nil)
        items.insert(Item(PlayInput(path: path)), at: index)
        if feeding > index || (feeding == index && hasBegun) { rewind(to: index, at: void) }
        return index == items.count - 1 ? nil : void
    }

    private var hasBegun: Bool { source != nil || slow != nil || !ready.isEmpty }

    private func rewind(to index: Int, at time: CMTime?) {
        (source, announcement, ready) = (nil, nil, [])
        forgetSlowly()
        feeding = index
        if let time { nextStart = time }
        for later in items.indices where later >= index {
            (items[later].start, items[later].end) = (nil, nil)
        }
    }
}
