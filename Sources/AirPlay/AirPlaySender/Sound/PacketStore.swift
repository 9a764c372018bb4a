import AirPlayMessages
import Synchronization
import TuttiSystemIO
import TuttiWire

/// The encoded sound of a group, from a little before the playhead to the last packet made.
///
/// One codec thread appends; any number of streams read, each with its own cursor. A payload is written once,
/// into a slab, and never moved: a resume after a pause and a reconnected speaker read the same bytes again.
/// Positions are *frames* of the wire format on the group's timeline.
package final class PacketStore: PacketReading, Sendable {
    /// One packet; its bytes stay valid while the value exists.
    package struct Packet: Sendable {
        /// The packet's number, 0, 1, 2, … since the store was made; never reused.
        package let index: Int64
        /// The timeline frame of the packet's first frame.
        package let frame: Int64
        /// The number of frames.
        package let frameCount: Int32
        /// The wire format of the payload.
        package let format: AudioWireFormat
        fileprivate let slab: Slab
        fileprivate let offset: Int
        /// The size of the payload in bytes.
        package let byteCount: Int

        fileprivate init(
            index: Int64, frame: Int64, frameCount: Int32, format: AudioWireFormat, slab: Slab, offset: Int,
            byteCount: Int
        ) {
            (self.index, self.frame, self.frameCount, self.format) = (index, frame, frameCount, format)
            (self.slab, self.offset, self.byteCount) = (slab, offset, byteCount)
        }

        /// Makes a packet with another payload in place of a packet of a store.
        init(_ other: Packet, payload: [UInt8]) {
            let slab = Slab(capacity: max(1, payload.count))
            payload.withUnsafeBytes { bytes in
                if let source = bytes.baseAddress {
                    slab.base.copyMemory(from: source, byteCount: bytes.count)
                }
            }
            self.init(
                index: other.index, frame: other.frame, frameCount: other.frameCount, format: other.format,
                slab: slab, offset: 0, byteCount: payload.count)
        }

        /// The timeline frame after the packet's last.
        package var endFrame: Int64 { frame + Int64(frameCount) }

        /// Calls `body` with the payload, which is valid only during the call.
        package func withPayload<Result, Failure: Error>(
            _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try body(UnsafeRawBufferPointer(start: slab.base + offset, count: byteCount))
        }
    }

    /// A block of memory shared by many payloads.
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
        /// One packet of silence per format, with which a stream of some formats has to begin.
        var silence: [AudioWireFormat: Packet] = [:]
        /// Whether no packet follows the last one.
        var isComplete = false
    }

    private let state = Mutex(State())
    /// The serial queue on which all packets are made and dropped, so that late work of an older writer
    /// precedes that of a newer one.
    package let writing: SerialQueue

    /// Creates an empty store.
    ///
    /// - Parameter machine: Makes the queue.
    package init(machine: any Machine = SystemMachine()) {
        writing = machine.makeQueue("tutti.codec", qos: .userInitiated)
    }

    // MARK: Writing, from one thread

    /// Appends a packet with a copy of the payload, and notifies the streams.
    package func append(
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
            state.isComplete = false
            return state.watchers
        }
        for watcher in watchers.values { watcher() }
    }

    /// Notes that no packet follows the last one for now, and notifies the streams.
    package func finish() {
        let watchers = state.withLock { state in
            state.isComplete = true
            return state.watchers
        }
        for watcher in watchers.values { watcher() }
    }

    /// Sets the packet of silence for `format`, from a copy of the payload.
    package func setSilence(_ payload: UnsafeRawBufferPointer, frameCount: Int, format: AudioWireFormat) {
        let (slab, offset) = copy(payload)
        let packet = Packet(
            index: -1, frame: 0, frameCount: Int32(frameCount), format: format, slab: slab, offset: offset,
            byteCount: payload.count)
        state.withLock { $0.silence[format] = packet }
    }

    /// Reserves room under the lock and fills it outside: no reader knows of it until its packet is published.
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

    /// Evicts every packet that ends at or before `frame`.
    package func discard(before frame: Int64) {
        state.withLock { state in
            let count = state.packets.partitionPoint { $0.endFrame <= frame }
            for position in 0..<count { state.bytes -= state.packets[position].byteCount }
            state.packets.removeFirst(count)
        }
    }

    /// Removes every packet that ends after `frame`.
    ///
    /// - Returns: The first packet removed, so that its part before `frame` can be encoded again.
    @discardableResult
    package func truncate(at frame: Int64) -> Packet? {
        state.withLock { state in
            let keep = state.packets.partitionPoint { $0.endFrame <= frame }
            guard keep < state.packets.count else { return nil }
            let first = state.packets[keep]
            for position in keep..<state.packets.count { state.bytes -= state.packets[position].byteCount }
            state.packets.truncate(to: keep)
            state.isComplete = false
            return first
        }
    }

    /// Removes all packets, for a flush.
    package func removeAll() {
        state.withLock { state in
            state.packets.removeAll()
            (state.bytes, state.isComplete) = (0, false)
        }
    }

    // MARK: Reading, from any thread

    /// The index that the next packet gets.
    package var endIndex: Int64 { state.withLock { $0.nextIndex } }

    /// Returns the first packet at or after `index`.
    package func packet(atOrAfter index: Int64) -> Packet? {
        state.withLock { state in
            let position = state.packets.partitionPoint { $0.index < index }
            return position < state.packets.count ? state.packets[position] : nil
        }
    }

    /// Whether no packet follows the last one for now.
    package var isComplete: Bool { state.withLock { $0.isComplete } }

    package func silence(_ format: AudioWireFormat) -> Packet? { state.withLock { $0.silence[format] } }

    /// Returns the packet that holds `frame`, or the first one after it.
    package func packet(holding frame: Int64) -> Packet? {
        state.withLock { state in
            let position = state.packets.partitionPoint { $0.endFrame <= frame }
            return position < state.packets.count ? state.packets[position] : nil
        }
    }

    /// Returns the index to start reading at so that `leading` packets precede the packet that holds `frame`.
    package func index(holding frame: Int64, leading: Int) -> Int64 {
        state.withLock { state in
            let position = state.packets.partitionPoint { $0.endFrame <= frame }
            let start = max(0, position - leading)
            return start < state.packets.count ? state.packets[start].index : state.nextIndex
        }
    }

    /// Returns at most `count` packets before `index`, in order.
    package func packets(before index: Int64, count: Int) -> [Packet] {
        state.withLock { state in
            let end = state.packets.partitionPoint { $0.index < index }
            return (max(0, end - count)..<end).map { state.packets[$0] }
        }
    }

    /// The end of the last packet; `nil` when the store is empty.
    package var endFrame: Int64? { state.withLock { $0.packets.last?.endFrame } }

    /// The start of the first packet; `nil` when the store is empty.
    package var startFrame: Int64? { state.withLock { $0.packets.first?.frame } }

    /// The payload bytes of all packets.
    package var byteCount: Int { state.withLock { $0.bytes } }

    /// Returns the payload bytes and the number of the packets that end after `frame`.
    package func ahead(of frame: Int64) -> (bytes: Int, packets: Int) {
        state.withLock { state in
            let position = state.packets.partitionPoint { $0.endFrame <= frame }
            guard position > 0 else { return (state.bytes, state.packets.count) }
            // The bytes before the playhead are few (the store is trimmed there), so counting them is cheap.
            var before = 0
            for index in 0..<position { before += state.packets[index].byteCount }
            return (state.bytes - before, state.packets.count - position)
        }
    }

    /// Calls `body` after every append, on the appending thread; `body` must only post a note.
    ///
    /// - Returns: A token for ``unwatch(_:)``.
    package func watch(_ body: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = body
            return state.nextWatcher
        }
    }

    /// Removes a watcher. A call of `body` under way may still finish.
    package func unwatch(_ token: Int) {
        state.withLock { _ = $0.watchers.removeValue(forKey: token) }
    }
}
