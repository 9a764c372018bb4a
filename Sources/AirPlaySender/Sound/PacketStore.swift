import AirPlayMessages
import Dispatch
import Synchronization

/// The encoded sound of one wire format, from a little before the playhead to the last packet made.
///
/// One codec thread appends; any number of streams read, each at its own place. A payload is written
/// once, into a slab, and never moved: resuming after a pause and bringing back a lost speaker read the
/// same bytes again. Positions are *frames* of the wire format on the group's timeline.
public final class PacketStore: Sendable {
    /// One packet; its bytes stay valid while the value lives.
    public struct Packet: Sendable {
        /// Position of the packet, 0, 1, 2, … since the store was made; never given twice.
        public let index: Int64
        /// Timeline frame of the packet's first frame.
        public let frame: Int64
        public let frameCount: Int32
        public let format: AudioWireFormat
        fileprivate let slab: Slab
        fileprivate let offset: Int
        /// Bytes of the payload.
        public let byteCount: Int

        public var endFrame: Int64 { frame + Int64(frameCount) }

        public func withPayload<Result, Failure: Error>(
            _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try body(UnsafeRawBufferPointer(start: slab.base + offset, count: byteCount))
        }
    }

    /// A block of memory that many payloads share.
    fileprivate final class Slab: @unchecked Sendable {
        // Safe to share: bytes below `used` are written before the packet that names them is published
        // under the store's lock, and never again; `used` itself is only touched under that lock.
        static let capacity = 128 * 1024
        let base: UnsafeMutableRawPointer
        let capacity: Int
        var used = 0

        init(capacity: Int) {
            self.capacity = capacity
            base = .allocate(byteCount: capacity, alignment: 16)
        }

        deinit { base.deallocate() }
    }

    private struct State {
        var packets = IndexedQueue<Packet>()
        var slab: Slab?
        var nextIndex: Int64 = 0
        var bytes = 0
        var watchers: [Int: @Sendable () -> Void] = [:]
        var nextWatcher = 0
        /// One packet of silence, for formats in which a stream has to begin with it.
        var silence: [AudioWireFormat: Packet] = [:]
    }

    private let state = Mutex(State())
    /// Where all packets are made and dropped, one writer after the other: what an older writer does late still comes
    /// before what a newer one does.
    public let writing = DispatchQueue(label: "tutti.codec", qos: .userInitiated)

    public init() {}

    // MARK: Writing, from one thread

    /// Copies a payload in and tells the streams.
    public func append(
        frame: Int64, frameCount: Int, format: AudioWireFormat, payload: UnsafeRawBufferPointer
    ) {
        let (slab, offset) = copy(payload)
        let byteCount = payload.count
        let watchers = state.withLock { state in
            state.packets.append(
                Packet(
                    index: state.nextIndex, frame: frame, frameCount: Int32(frameCount), format: format,
                    slab: slab,
                    offset: offset, byteCount: byteCount))
            state.nextIndex += 1
            state.bytes += byteCount
            return state.watchers
        }
        for watcher in watchers.values { watcher() }
    }

    /// Says what a packet of silence is in `format`.
    public func setSilence(_ payload: UnsafeRawBufferPointer, frameCount: Int, format: AudioWireFormat) {
        let (slab, offset) = copy(payload)
        let packet = Packet(
            index: -1, frame: 0, frameCount: Int32(frameCount), format: format, slab: slab, offset: offset,
            byteCount: payload.count)
        state.withLock { $0.silence[format] = packet }
    }

    /// Room is taken under the lock and filled outside: nobody knows of it until its packet is published.
    private func copy(_ payload: UnsafeRawBufferPointer) -> (Slab, offset: Int) {
        let byteCount = payload.count
        let (slab, offset) = state.withLock { state in
            let slab = Self.slab(for: byteCount, in: &state)
            defer { slab.used += byteCount }
            return (slab, slab.used)
        }
        if let source = payload.baseAddress {
            (slab.base + offset).copyMemory(from: source, byteCount: byteCount)
        }
        return (slab, offset)
    }

    private static func slab(for byteCount: Int, in state: inout State) -> Slab {
        if let slab = state.slab, slab.capacity - slab.used >= byteCount { return slab }
        let slab = Slab(capacity: max(Slab.capacity, byteCount))
        state.slab = slab
        return slab
    }

    /// Forgets every packet that ends at or before `frame`.
    public func discard(before frame: Int64) {
        state.withLock { state in
            let count = state.packets.partitionPoint { $0.endFrame <= frame }
            for position in 0..<count { state.bytes -= state.packets[position].byteCount }
            state.packets.removeFirst(count)
        }
    }

    /// Forgets every packet that ends after `frame`.
    ///
    /// - Returns: the first packet forgotten, so that its part before `frame` can be made anew.
    @discardableResult
    public func truncate(at frame: Int64) -> Packet? {
        state.withLock { state in
            let keep = state.packets.partitionPoint { $0.endFrame <= frame }
            guard keep < state.packets.count else { return nil }
            let first = state.packets[keep]
            for position in keep..<state.packets.count { state.bytes -= state.packets[position].byteCount }
            state.packets.truncate(to: keep)
            return first
        }
    }

    /// Forgets everything: a flush.
    public func removeAll() {
        state.withLock { state in
            state.packets.removeAll()
            state.bytes = 0
        }
    }

    // MARK: Reading, from any thread

    /// The index that the next packet gets.
    public var endIndex: Int64 { state.withLock { $0.nextIndex } }

    /// The first packet at or after `index`.
    public func packet(atOrAfter index: Int64) -> Packet? {
        state.withLock { state in
            let position = state.packets.partitionPoint { $0.index < index }
            return position < state.packets.count ? state.packets[position] : nil
        }
    }

    func silence(_ format: AudioWireFormat) -> Packet? { state.withLock { $0.silence[format] } }

    /// The packet that holds `frame`, or the first one after it.
    public func packet(holding frame: Int64) -> Packet? {
        state.withLock { state in
            let position = state.packets.partitionPoint { $0.endFrame <= frame }
            return position < state.packets.count ? state.packets[position] : nil
        }
    }

    /// The index to start reading at so that `leading` packets come before the one that holds `frame`.
    func index(holding frame: Int64, leading: Int) -> Int64 {
        state.withLock { state in
            let position = state.packets.partitionPoint { $0.endFrame <= frame }
            let start = max(0, position - leading)
            return start < state.packets.count ? state.packets[start].index : state.nextIndex
        }
    }

    /// The packets before `packet`, nearest last, at most `count`.
    public func packets(before index: Int64, count: Int) -> [Packet] {
        state.withLock { state in
            let end = state.packets.partitionPoint { $0.index < index }
            return (max(0, end - count)..<end).map { state.packets[$0] }
        }
    }

    /// End of the last packet; `nil` when the store is empty.
    public var endFrame: Int64? { state.withLock { $0.packets.last?.endFrame } }

    /// Start of the first packet; `nil` when the store is empty.
    public var startFrame: Int64? { state.withLock { $0.packets.first?.frame } }

    /// Payload bytes of all packets.
    public var byteCount: Int { state.withLock { $0.bytes } }

    /// Payload bytes of the packets that end after `frame`, and the frames they cover.
    public func ahead(of frame: Int64) -> (bytes: Int, packets: Int) {
        state.withLock { state in
            let position = state.packets.partitionPoint { $0.endFrame <= frame }
            guard position > 0 else { return (state.bytes, state.packets.count) }
            // The bytes before the playhead are few (the store is trimmed there), so counting them is cheap.
            var before = 0
            for index in 0..<position { before += state.packets[index].byteCount }
            return (state.bytes - before, state.packets.count - position)
        }
    }

    /// Calls `body` after every append, on the appending thread; it must only post a note.
    public func watch(_ body: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = body
            return state.nextWatcher
        }
    }

    public func unwatch(_ token: Int) {
        state.withLock { _ = $0.watchers.removeValue(forKey: token) }
    }
}
