import TuttiWire

/// A queue of bytes that wait for room in the kernel.
struct SendQueue {
    private var bytes = IndexedQueue<UInt8>(compaction: .onAppend)

    var isEmpty: Bool { bytes.isEmpty }

    /// Appends bytes. Returns `false`, and keeps none, if more than `limit` bytes would wait.
    mutating func append(_ more: ArraySlice<UInt8>, limit: Int) -> Bool {
        guard bytes.count + more.count <= limit else { return false }
        bytes.append(contentsOf: more)
        return true
    }

    /// Passes bytes from the front to `transmit` until it accepts no more.
    mutating func drain(
        _ transmit: (UnsafeRawBufferPointer) -> Result<Int, SystemError>
    ) throws(SystemError) {
        while !isEmpty {
            let taken = try bytes.withUnsafeBufferPointer { transmit(UnsafeRawBufferPointer($0)) }.get()
            guard taken > 0 else { return }
            bytes.removeFirst(taken)
        }
        bytes.removeAll(keepingCapacity: false)
    }
}
