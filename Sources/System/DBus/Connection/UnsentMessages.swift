/// The sizes of the messages that the bus has not taken yet. A value.
///
/// libsystemd tells how many messages wait, and not how large they are. Messages leave in order, so that those
/// which wait are the last ones.
struct UnsentMessages {
    /// Bytes of a message besides its arguments, at most about.
    static let header = 256

    private var sizes: [Int] = []
    private(set) var bytes = 0

    /// Notes a message that was handed over.
    mutating func add(_ size: Int) {
        sizes.append(size)
        bytes += size
    }

    /// Forgets the messages that have left.
    ///
    /// - Parameter count: The messages that wait, libsystemd's own ones included.
    mutating func keep(_ count: UInt64) {
        let gone = sizes.count - Int(clamping: count)
        guard gone > 0 else { return }
        bytes -= sizes.prefix(gone).reduce(0, +)
        sizes.removeFirst(gone)
    }
}
