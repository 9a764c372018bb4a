import Dispatch
import Synchronization

/// The state of a window that its program and the display thread share. Callable from any thread.
///
/// SDL is never called while the lock is held: a call that loses the display does not return.
final class WindowLink: Sendable {
    private enum Phase {
        case opening
        case open
        case ended(VideoWindowError)
    }

    private struct State {
        var phase = Phase.opening
        var inbox = WindowInbox()
        var statistics = VideoWindowStatistics()
        var leadTime: Int64 = 0
        var subtitles: SubtitlePipeline?
        var snapshots: [Int: CheckedContinuation<WindowSnapshot, any Error>] = [:]
        var nextSnapshot = 0
        var sentOnce: Set<Notice> = []
    }

    /// Events that are sent once per window.
    enum Notice: Hashable {
        case subtitlesUnavailable
        case pictureRefused
    }

    let title: String
    let size: PixelSize
    let options: VideoWindowOptions
    let events: AsyncStream<VideoWindowEvent>
    private let eventSink: AsyncStream<VideoWindowEvent>.Continuation
    private let state = Mutex(State())
    private let opened = DispatchSemaphore(value: 0)

    /// Events that wait for a reader; older ones are dropped.
    static let eventLimit = 256

    init(title: String, size: PixelSize, options: VideoWindowOptions) {
        (self.title, self.size, self.options) = (title, size, options)
        (events, eventSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.eventLimit))
    }

    // MARK: The program's side

    /// Waits for the display thread's answer to the opening of the window.
    func waitUntilOpen() throws(VideoWindowError) {
        opened.wait()
        if case .ended(let error) = state.withLock({ $0.phase }) { throw error }
    }

    /// Changes the inbox. Returns whether the display thread should look at it: `false` after the end.
    func post(_ change: (inout WindowInbox) -> Void) -> Bool {
        state.withLock { state in
            if case .ended = state.phase { return false }
            change(&state.inbox)
            return true
        }
    }

    var statistics: VideoWindowStatistics { state.withLock { $0.statistics } }
    var leadTime: Int64 { state.withLock { $0.leadTime } }

    var subtitles: SubtitlePipeline? { state.withLock { $0.subtitles } }

    /// Returns the window's subtitles, made by `make` on the first call.
    func subtitles(orMake make: () -> SubtitlePipeline) -> SubtitlePipeline {
        state.withLock { state in
            let subtitles = state.subtitles ?? make()
            state.subtitles = subtitles
            return subtitles
        }
    }

    /// Registers a request for pixels, to be answered by its number. Resumes it with an error after the end.
    func addSnapshot(_ continuation: CheckedContinuation<WindowSnapshot, any Error>) -> Int? {
        let (id, error): (Int?, VideoWindowError?) = state.withLock { state in
            if case .ended(let error) = state.phase { return (nil, error) }
            state.nextSnapshot += 1
            state.snapshots[state.nextSnapshot] = continuation
            return (state.nextSnapshot, nil)
        }
        if let error { continuation.resume(throwing: error) }
        return id
    }

    // MARK: The display thread's side

    func takeInbox() -> WindowInbox {
        state.withLock { state in
            let inbox = state.inbox.take()
            state.statistics.droppedCount += inbox.droppedCount
            return inbox
        }
    }

    func didOpen() {
        state.withLock { state in
            if case .opening = state.phase { state.phase = .open }
        }
        opened.signal()
    }

    /// Ends the window for its program: fails what waits and finishes the events, once.
    func end(_ error: VideoWindowError, last: VideoWindowEvent) {
        let ended: State? = state.withLock { state in
            if case .ended = state.phase { return nil }
            defer {
                state.phase = .ended(error)
                // Pictures and subtitles are released after the lock.
                (state.inbox, state.subtitles, state.snapshots) = (WindowInbox(), nil, [:])
            }
            return state
        }
        guard let ended else { return }
        for continuation in ended.snapshots.values { continuation.resume(throwing: error) }
        eventSink.yield(last)
        eventSink.finish()
        opened.signal()
    }

    func send(_ event: VideoWindowEvent) { eventSink.yield(event) }

    func send(_ event: VideoWindowEvent, once notice: Notice) {
        if state.withLock({ $0.sentOnce.insert(notice).inserted }) { eventSink.yield(event) }
    }

    func answerSnapshot(_ id: Int, with result: Result<WindowSnapshot, VideoWindowError>) {
        let continuation = state.withLock { $0.snapshots.removeValue(forKey: id) }
        switch result {
        case .success(let snapshot): continuation?.resume(returning: snapshot)
        case .failure(let error): continuation?.resume(throwing: error)
        }
    }

    func updateStatistics(leadTime: Int64, _ change: (inout VideoWindowStatistics) -> Void) {
        state.withLock { state in
            state.leadTime = leadTime
            change(&state.statistics)
        }
    }
}
