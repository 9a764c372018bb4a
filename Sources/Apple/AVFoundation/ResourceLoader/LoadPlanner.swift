import Foundation
import TuttiWeb

/// The fetch planner of a ``LoadedSource``: decides which bytes to request and stores the responses. A value
/// without threads, foreign objects or time; the bytes of a whole-file response go to a ``SpillFile``.
struct LoadPlanner {
    /// A range of bytes to request.
    struct Question: Equatable {
        var offset: Int64
        /// `Int.max` if the content's length is unknown.
        var length: Int
        var wantsAll = false
        var wantsFacts = false

        /// The offset after the last byte; saturates.
        var end: Int64 {
            let (sum, overflow) = offset.addingReportingOverflow(Int64(length))
            return overflow ? .max : sum
        }
    }

    enum Step {
        case ready
        case bytes(Int)
        case end
        case wait
        case failed(WebError)
    }

    private enum Phase { case new, ranges, sequential }

    /// Offset of the next byte to read.
    var position: Int64 = 0
    private(set) var length: Int64?
    private var phase = Phase.new
    /// The pending request; ``answered`` is the offset after its last received byte.
    private var open: Question?
    private var answered: Int64 = 0
    private var asked: Question?
    /// The window of received bytes, from offset `start` on.
    private var start: Int64 = 0
    private var window = Data()
    private var file: SpillFile?
    private var hasRequestedAll = false
    private var failure: WebError?

    // MARK: The reader

    /// Requests the content information.
    ///
    /// - Returns: `ready` when the content information is known.
    mutating func openingStep() -> Step {
        if let failure { return .failed(failure) }
        guard phase == .new else { return .ready }
        if open == nil { ask(Question(offset: 0, length: LoadedSource.firstByteCount, wantsFacts: true)) }
        return .wait
    }

    /// Copies received bytes to `target`, and plans requests for the bytes after them.
    ///
    /// - Parameter kept: Bytes behind the reader to keep.
    mutating func read(into target: UnsafeMutableRawBufferPointer, keeping kept: Int) -> Step {
        if phase == .new { return openingStep() }
        if position >= length ?? .max { return .end }
        if target.isEmpty { return .bytes(0) }
        return phase == .ranges ? readRange(into: target, kept) : readFile(into: target)
    }

    private mutating func readRange(into target: UnsafeMutableRawBufferPointer, _ kept: Int) -> Step {
        let end = start + Int64(window.count)
        guard position >= start, position < end else {
            if let failure { return .failed(failure) }
            askFor(position)
            return .wait
        }
        let offset = window.startIndex + Int(position - start)
        let count = min(target.count, window.endIndex - offset)
        target.copyBytes(from: window[offset..<offset + count])
        position += Int64(count)
        trim(kept)
        // Prefetch the next range before the reader needs it.
        if failure == nil, open == nil, end - position < LoadedSource.rangeByteCount, end < length ?? .max {
            askFor(end)
        }
        return .bytes(count)
    }

    private mutating func trim(_ kept: Int) {
        let surplus = Int(position - start) - kept
        // Trim in large steps, because trimming copies the remaining bytes.
        guard surplus > Int(LoadedSource.rangeByteCount) else { return }
        window = Data(window.dropFirst(surplus))
        start += Int64(surplus)
    }

    private mutating func askFor(_ offset: Int64) {
        if let open, offset >= answered, offset - answered < LoadedSource.rangeByteCount, offset < open.end {
            return
        }
        if offset != start + Int64(window.count) { (start, window) = (offset, Data()) }
        let rest = (length ?? .max) - offset
        ask(
            Question(
                offset: offset, length: Int(min(rest, LoadedSource.rangeByteCount)),
                wantsAll: rest <= LoadedSource.rangeByteCount))
    }

    private mutating func readFile(into target: UnsafeMutableRawBufferPointer) -> Step {
        if let count = file?.read(at: position, into: target), count > 0 {
            position += Int64(count)
            // A stream without a length may be endless and is never seeked, so read bytes can go.
            if length == nil { file?.drop(readUpTo: position) }
            return .bytes(count)
        }
        if let failure { return .failed(failure) }
        guard !hasRequestedAll || open != nil else { return .end }
        if open == nil {
            hasRequestedAll = true
            ask(Question(offset: 0, length: Int(clamping: length ?? .max), wantsAll: true))
        }
        return .wait
    }

    // MARK: Requests

    private mutating func ask(_ question: Question) {
        (open, asked, answered) = (question, question, question.offset)
    }

    /// Returns the request to make now, which replaces any pending request; `nil` if nothing is to be
    /// requested.
    mutating func takeQuestion() -> Question? {
        defer { asked = nil }
        return asked
    }

    /// Withdraws the pending request, so that its bytes can be requested again.
    mutating func questionWasDropped() {
        if open?.wantsAll == true, phase == .sequential { hasRequestedAll = false }
        (open, asked) = (nil, nil)
        if phase == .sequential { file = SpillFile() }
    }

    // MARK: Responses

    mutating func receive(_ data: Data) {
        guard let question = open, answered < question.end else { return }
        let data = data.prefix(Int(min(Int64(data.count), question.end - answered)))
        let place = answered
        answered += Int64(data.count)
        if question.wantsFacts { return }
        switch phase {
        case .new: break
        case .ranges:
            // A seek after the request may have moved the window: drop bytes that do not continue it.
            if place == start + Int64(window.count) { window.append(data) }
        case .sequential:
            if file?.append(data) != true {
                fail(
                    LoadedSource.failure(
                        "the temporary folder is full", NSURLErrorCannotWriteToFile))
            }
        }
    }

    mutating func learn(length: Int64?, givesRanges: Bool) {
        guard phase == .new else { return }
        self.length = length
        phase = givesRanges ? .ranges : .sequential
        guard phase == .sequential else { return }
        file = SpillFile()
        if file == nil {
            fail(
                LoadedSource.failure(
                    "no file can be created in the temporary folder", NSURLErrorCannotCreateFile))
        }
    }

    /// Handles the delegate's `finishLoading()`: all requested bytes were delivered.
    mutating func finish() {
        defer { open = nil }
        guard let question = open else { return }
        if question.wantsFacts {
            // A delegate that fills in no content information gets one request for all bytes.
            return learn(length: nil, givesRanges: false)
        }
        guard answered < question.end else { return }
        guard let length else {
            // The length was unknown: the content ends here.
            return self.length = answered
        }
        fail(
            LoadedSource.failure(
                "\(length) bytes were promised, and the request for bytes \(question.offset)..<\(question.end) "
                    + "was finished after \(answered - question.offset)"))
    }

    mutating func fail(_ error: WebError) {
        if failure == nil { failure = error }
        open = nil
    }

    // MARK: Received bytes

    var ranges: [Range<Int64>] {
        if let file { return file.byteCount > 0 ? [0..<file.byteCount] : [] }
        return window.isEmpty ? [] : [start..<start + Int64(window.count)]
    }
}
