internal import CFFmpeg
import Synchronization

/// Ends the waiting and the work of one ``MediaReader``: from any thread, or where a limit is passed.
public final class MediaInterrupt: Sendable {
    /// The limit that a source passed before any sound came of it.
    enum Limit: UInt8 {
        case none
        /// One call of the library, or all of them together, read too many bytes.
        case bytes
        case requests
        case packets
        /// It took too long, though something came all the time.
        case time
        /// An input has failed in a way that ends everything; it says why.
        case input
    }

    private let cancelled = Atomic<Bool>(false)
    /// When nothing has come for too long, and when the operation has lasted too long: microseconds of the library's
    /// monotonic clock.
    private let deadline = Atomic<Int64>(.max)
    private let end = Atomic<Int64>(.max)
    private let totalSeconds = Atomic<Int>(0)
    private let listeners = Mutex(Listeners())
    /// The library's context of a file whose bytes are counted by the library (an address, or 0), and how many that were
    /// before the running call.
    private let context = Atomic<UInt>(0)
    private let bytesBefore = Atomic<Int64>(0)
    /// Since the last packet of sound: bytes that were read, the part of them before the running call, requests made and
    /// packets without sound.
    private let byteCount = Atomic<Int64>(0)
    private let bytesBeforeCall = Atomic<Int64>(0)
    private let requestCount = Atomic<Int>(0)
    private let packetCount = Atomic<Int>(0)
    private let passed = Atomic<UInt8>(0)

    /// Most bytes that one call of the library may read. A parser keeps all that it has read until it finds the end of
    /// a packet, and in sound that is none there is no end. A file whose index is at its end is read whole once, up
    /// to `WebLimits.skippedBytes`.
    static let readByteLimit: Int64 = 68 << 20
    /// Most bytes between two packets of sound, and before the first. Pictures lie between them in a film: 40 s of the
    /// largest (100 Mbit/s).
    static let passedByteLimit: Int64 = 512 << 20
    /// Most packets without sound between two packets of sound; they may have no bytes at all.
    static let emptyPacketLimit = 1 << 16
    /// Most inputs that are opened for one packet of sound: to open a playlist with all that is looked at of it, or to
    /// find the next packet behind pieces that are missing.
    static let requestLimit = 256

    private struct Listeners {
        var next = 0
        var handlers: [Int: @Sendable () -> Void] = [:]
    }

    public init() {}

    /// Every call of the reader, running or to come, ends with ``MediaError/cancelled``.
    public func cancel() {
        cancelled.store(true, ordering: .sequentiallyConsistent)
        for handler in listeners.withLock({ Array($0.handlers.values) }) { handler() }
    }

    public var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

    /// - Parameter handler: called at ``cancel()``, perhaps more than once, and now if that was already called.
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

    // MARK: Operations, on the thread that reads

    /// Begins an operation of the reader: its calls of the library share the limits until a packet of sound comes.
    ///
    /// - Parameters:
    ///   - silence: it may wait so long without anything coming.
    ///   - total: it may last so long; `nil` for any time.
    ///   - goesOn: what has passed a limit stays ended: the library may still have given what it had read.
    func begin(silence: Duration, total: Duration? = nil, goesOn: Bool = false) {
        restart(limit: silence)
        totalSeconds.store(Int(total?.components.seconds ?? 0), ordering: .relaxed)
        end.store(total.map { Self.time(after: $0) } ?? .max, ordering: .relaxed)
        if !goesOn { passed.store(Limit.none.rawValue, ordering: .relaxed) }
        soundCame()
    }

    /// A packet of sound has come: what is counted is counted anew.
    func soundCame() {
        byteCount.store(0, ordering: .relaxed)
        bytesBeforeCall.store(0, ordering: .relaxed)
        requestCount.store(0, ordering: .relaxed)
        packetCount.store(0, ordering: .relaxed)
    }

    /// How long the operation may last in all.
    var totalLimit: Duration { .seconds(totalSeconds.load(ordering: .relaxed)) }

    /// Something came: the silence begins anew.
    func restart(limit: Duration) { deadline.store(Self.time(after: limit), ordering: .relaxed) }

    private static func time(after limit: Duration) -> Int64 {
        av_gettime_relative() + max(0, limit.components.seconds) * 1_000_000
    }

    /// What the library asks while it waits.
    var shouldStop: Bool {
        if isCancelled || limit != .none { return true }
        let now = av_gettime_relative()
        if now > end.load(ordering: .relaxed) { stop(.time) }
        checkBytes()
        return limit != .none || now > deadline.load(ordering: .relaxed)
    }

    /// The limit that this operation has passed. Asked on the thread that reads.
    var limit: Limit { Limit(rawValue: passed.load(ordering: .relaxed)) ?? .none }

    /// Ends the operation; the first cause stays.
    func stop(_ limit: Limit) {
        if self.limit == .none { passed.store(limit.rawValue, ordering: .relaxed) }
    }

    // MARK: Counting

    /// A call of the library begins, on the thread that will read. The context lives until ``endCall()``.
    ///
    /// - Parameter context: of a file; `nil` where all inputs are our own, which tell of their bytes.
    func beginCall(_ context: UnsafeMutablePointer<AVFormatContext>?) {
        bytesBefore.store(context?.pointee.pb?.pointee.bytes_read ?? 0, ordering: .relaxed)
        bytesBeforeCall.store(byteCount.load(ordering: .relaxed), ordering: .relaxed)
        self.context.store(UInt(bitPattern: context), ordering: .relaxed)
    }

    /// - Parameter isThere: whether the context is.
    func endCall(isThere: Bool = true) {
        if isThere { byteCount.add(bytesOfFile, ordering: .relaxed) }
        context.store(0, ordering: .relaxed)
    }

    /// Bytes that the running call has read of a file.
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

    /// An input of our own has given bytes.
    ///
    /// - Returns: whether it may go on.
    func note(byteCount count: Int) -> Bool {
        byteCount.add(Int64(count), ordering: .relaxed)
        checkBytes()
        return limit == .none
    }

    /// An input is to be opened.
    ///
    /// - Returns: whether it may.
    func noteRequest() -> Bool {
        if requestCount.add(1, ordering: .relaxed).newValue > Self.requestLimit { stop(.requests) }
        return limit == .none
    }

    /// A packet without sound, or of another stream.
    func noteEmptyPacket() {
        if packetCount.add(1, ordering: .relaxed).newValue > Self.emptyPacketLimit { stop(.packets) }
    }
}

extension MediaError {
    /// Which limit a source has passed before any sound came; `nil` where it has passed none, or its input says why.
    init?(_ interrupt: MediaInterrupt, name: String) {
        switch interrupt.limit {
        case .none, .input: return nil
        case .bytes:
            self = .noSound(
                name: name, reason: "no sound was found in \(MediaInterrupt.readByteLimit >> 20) MiB of it")
        case .requests:
            self = .noSound(
                name: name, reason: "no sound was found at \(MediaInterrupt.requestLimit) addresses")
        case .packets:
            self = .noSound(
                name: name, reason: "\(MediaInterrupt.emptyPacketLimit) of its packets have no sound")
        case .time:
            let seconds = interrupt.totalLimit.components.seconds
            self = .tooSlow(name: name, reason: "no sound had come after \(seconds) s")
        }
    }
}
