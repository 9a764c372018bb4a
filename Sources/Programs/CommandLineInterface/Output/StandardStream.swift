import Glibc

/// Standard output or standard error, without a buffer.
public enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes the whole text; blocks until it is written.
    ///
    /// - Returns: `false` if the pipe is closed or the medium is full.
    @discardableResult
    public func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(
                    rawValue, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN {
                    waitUntilWritable()
                    continue
                }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    /// Writes one line.
    @discardableResult
    public func line(_ text: String) -> Bool { write(text + "\n") }

    private func waitUntilWritable() {
        var entry = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
    }
}
