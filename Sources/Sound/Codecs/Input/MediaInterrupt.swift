import CTuttiFFmpeg
import Synchronization

/// A handle that cancels one ``MediaReader`` from any thread, and enforces its time and size limits.
package final class MediaInterrupt: Sendable {
    /// The limit that a source exceeded before it delivered sound.
    enum Limit: UInt8 {
        case none
        /// One FFmpeg call, or the whole operation, read too many bytes.
        case bytes
        case requests
        case packets
        /// The operation took too long, although data kept arriving.
        case time
        /// An input failed fatally; the input holds the cause.
        case input
    }

    private let cancelled = Atomic<Bool>(false)
    /// The deadlines for silence and for the whole operation, in microseconds of FFmpeg's monotonic clock.
    private let deadline = Atomic<Int64>(.max)
    private let end = Atomic<Int64>(.max)
    private let totalSeconds = Atomic<Int>(0)
    private let listeners = Mutex(Listeners())
    /// The context of a file whose bytes FFmpeg counts (an address, or 0), and its byte count before the
    /// running call.
    private let context = Atomic<UInt>(0)
    private let bytesBefore = Atomic<Int64>(0)
    /// Counters since the last packet with sound: bytes read, the bytes read before the running call,
    /// requests, and packets without sound.
    private let byteCount = Atomic<Int64>(0)
    private let bytesBeforeCall = Atomic<Int64>(0)
    private let requestCount = Atomic<Int>(0)
    private let packetCount = Atomic<Int>(0)
    private let passed = Atomic<UInt8>(0)

    /// The most bytes that one FFmpeg call may read. A parser buffers all input until it finds the end of a
    /// packet, and data that is not sound has no such end. A file with its index at the end is read whole
    /// once, up to `WebLimits.skippedBytes`.
    static let readByteLimit: Int64 = 68 << 20
    /// The most bytes between two packets with sound, and before the first. In a film pictures lie between
    /// them: 40 s of the largest (100 Mbit/s).
    static let passedByteLimit: Int64 = 512 << 20
    /// The most packets without sound between two packets with sound; such packets may be empty.
    static let emptyPacketLimit = 1 << 16
    /// The most inputs opened for one packet with sound: enough to open and probe a playlist, or to find the
    /// next packet after missing segments.
    static let requestLimit = 256

    private struct Listeners {
        var next = 0
        var handlers: [Int: @Sendable () -> Void] = [:]
    }

    /// Creates an interrupt for one reader.
    package init() {}

    /// Ends every running and future call of the reader with ``MediaError/cancelled``. Idempotent.
    package func cancel() {
        cancelled.store(true, ordering: .sequentiallyConsistent)
        for handler in listeners.withLock({ Array($0.handlers.values) }) { handler() }
    }

    /// Whether ``cancel()`` was called.
    package var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

    /// - Parameter handler: Runs on ``cancel()``, possibly more than once, or at once if already cancelled.
    /// - Returns: A key for ``forget(_:)``.
    func onCancel(_ handler: @escaping @Sendable () -> Void) -> Int {
        let key = listeners.withLock { listeners in
            listeners.next += 1
            listeners.handlers[listeners.next] = handler
            return listeners.next
        }
        if isCancelled { handler() }
        return key
    }

    func forget(_ key: Int) { listeners.withLock { _ = $0.handlers.removeValue(forKey: key) } }

    // MARK: Operations, on the reader's thread

    /// Starts an operation of the reader: its FFmpeg calls share the limits until a packet with sound
    /// arrives.
    ///
    /// - Parameters:
    ///   - silence: The longest wait without data.
    ///   - total: The longest duration of the operation; `nil` for no limit.
    ///   - goesOn: Whether an exceeded limit stays in force. FFmpeg may still deliver data that it read
    ///     before the limit.
    func begin(silence: Duration, total: Duration? = nil, goesOn: Bool = false) {
        restart(limit: silence)
        totalSeconds.store(Int(total?.components.seconds ?? 0), ordering: .relaxed)
        end.store(total.map { Self.time(after: $0) } ?? .max, ordering: .relaxed)
        if !goesOn { passed.store(Limit.none.rawValue, ordering: .relaxed) }
        soundCame()
    }

    /// Resets the counters after a packet with sound.
    func soundCame() {
        byteCount.store(0, ordering: .relaxed)
        bytesBeforeCall.store(0, ordering: .relaxed)
        requestCount.store(0, ordering: .relaxed)
        packetCount.store(0, ordering: .relaxed)
    }

    /// The longest duration of the operation.
    var totalLimit: Duration { .seconds(totalSeconds.load(ordering: .relaxed)) }

    /// Resets the silence deadline after data arrived.
    func restart(limit: Duration) { deadline.store(Self.time(after: limit), ordering: .relaxed) }

    private static func time(after limit: Duration) -> Int64 {
        av_gettime_relative() + max(0, limit.components.seconds) * 1_000_000
    }

    /// Whether FFmpeg must stop waiting; FFmpeg polls this property.
    var shouldStop: Bool {
        if isCancelled || limit != .none { return true }
        let now = av_gettime_relative()
        if now > end.load(ordering: .relaxed) { stop(.time) }
        checkBytes()
        return limit != .none || now > deadline.load(ordering: .relaxed)
    }

    /// The limit that this operation exceeded. Read on the reader's thread.
    var limit: Limit { Limit(rawValue: passed.load(ordering: .relaxed)) ?? .none }

    /// Ends the operation; the first cause wins.
    func stop(_ limit: Limit) {
        if self.limit == .none { passed.store(limit.rawValue, ordering: .relaxed) }
    }

    // MARK: Counting

    /// Marks the start of an FFmpeg call, on the reader's thread. The context must live until
    /// ``endCall(isThere:)``.
    ///
    /// - Parameter context: The context of a file; `nil` for web inputs, which report their own bytes.
    func beginCall(_ context: UnsafeMutablePointer<AVFormatContext>?) {
        bytesBefore.store(context?.pointee.pb?.pointee.bytes_read ?? 0, ordering: .relaxed)
        bytesBeforeCall.store(byteCount.load(ordering: .relaxed), ordering: .relaxed)
        self.context.store(UInt(bitPattern: context), ordering: .relaxed)
    }

    /// - Parameter isThere: Whether the context still exists.
    func endCall(isThere: Bool = true) {
        if isThere { byteCount.add(bytesOfFile, ordering: .relaxed) }
        context.store(0, ordering: .relaxed)
    }

    /// Bytes that the running call read from a file.
    private var bytesOfFile: Int64 {
        let address = UnsafePointer<AVFormatContext>(bitPattern: context.load(ordering: .relaxed))
        guard let input = address?.pointee.pb else { return 0 }
        return input.pointee.bytes_read - bytesBefore.load(ordering: .relaxed)
    }

    private func checkBytes() {
        let all = byteCount.load(ordering: .relaxed) + bytesOfFile
        let ofCall = all - bytesBeforeCall.load(ordering: .relaxed)
        if ofCall > Self.readByteLimit || all > Self.passedByteLimit { stop(.bytes) }
    }

    /// Counts bytes delivered by a web input.
    ///
    /// - Returns: Whether the operation may continue.
    func note(byteCount count: Int) -> Bool {
        byteCount.add(Int64(count), ordering: .relaxed)
        checkBytes()
        return limit == .none
    }

    /// Counts an input that FFmpeg wants to open.
    ///
    /// - Returns: Whether FFmpeg may open it.
    func noteRequest() -> Bool {
        if requestCount.add(1, ordering: .relaxed).newValue > Self.requestLimit { stop(.requests) }
        return limit == .none
    }

    /// Counts a packet without sound, or of another stream.
    func noteEmptyPacket() {
        if packetCount.add(1, ordering: .relaxed).newValue > Self.emptyPacketLimit { stop(.packets) }
    }
}

extension MediaError {
    /// Creates the error for an exceeded limit; `nil` if no limit was exceeded, or if the input holds the
    /// cause.
    init?(_ interrupt: MediaInterrupt, name: String) {
        switch interrupt.limit {
        case .none, .input: return nil
        case .bytes:
            self = .noSound(
                name: name, reason: "no audio was found in \(MediaInterrupt.readByteLimit >> 20) MiB of it")
        case .requests:
            self = .noSound(
                name: name, reason: "no audio was found at \(MediaInterrupt.requestLimit) addresses")
        case .packets:
            self = .noSound(
                name: name, reason: "\(MediaInterrupt.emptyPacketLimit) of its packets have no audio")
        case .time:
            let seconds = interrupt.totalLimit.components.seconds
            self = .tooSlow(name: name, reason: "no audio arrived within \(seconds) s")
        }
    }
}
