/// A queue of bytes that wait for room in the kernel.
struct SendQueue {
    private var bytes: [UInt8] = []
    private var start = 0

    var isEmpty: Bool { start == bytes.count }

    /// Appends bytes. Returns `false`, and keeps none, if more than `limit` bytes would wait.
    mutating func append(_ more: ArraySlice<UInt8>, limit: Int) -> Bool {
        guard bytes.count - start + more.count <= limit else { return false }
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: more)
        return true
    }

    /// Passes bytes from the front to `transmit` until it accepts no more.
    mutating func drain(
        _ transmit: (UnsafeRawBufferPointer) -> Result<Int, SystemError>
    ) throws(SystemError) {
        while !isEmpty {
            let taken = try bytes.withUnsafeBytes { transmit(UnsafeRawBufferPointer(rebasing: $0[start...])) }
                .get()
            guard taken > 0 else { return }
            start += taken
        }
        bytes = []
        start = 0
    }
}
