import Glibc
import Synchronization

/// Writes metadata into a named pipe for whoever reads it.
///
/// Nobody has to: without a reader items are dropped. A slow reader gets whole items or none, and
/// never holds up the music.
final class MetadataPipe: Sendable {
    /// Most bytes that wait for a slow reader; a picture fits.
    private static let pendingLimit = 4 << 20

    private struct State {
        var descriptor: Int32 = -1
        var pending: [UInt8] = []
    }

    private let path: String
    private let state = Mutex(State())

    /// Makes the pipe where nothing is there yet.
    ///
    /// - Throws: when something that is no pipe stands in its place, or it cannot be made.
    init(path: String) throws(UsageError) {
        self.path = path
        var info = stat()
        if stat(path, &info) == 0 {
            guard info.st_mode & S_IFMT == S_IFIFO else {
                throw UsageError("\(path) is not a named pipe")
            }
        } else if mkfifo(path, 0o644) != 0 {
            throw UsageError("cannot make the named pipe \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    func write(_ items: [MetadataItem]) {
        state.withLock { state in
            if state.descriptor < 0 { state.descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
            guard state.descriptor >= 0 else { return }
            for item in items {
                let bytes = item.encoded
                if state.pending.count + bytes.count <= Self.pendingLimit { state.pending += bytes }
            }
            drain(&state)
        }
    }

    /// To be called now and then, so that what a slow reader left goes out.
    func drain() { state.withLock { drain(&$0) } }

    private func drain(_ state: inout State) {
        guard state.descriptor >= 0, !state.pending.isEmpty else { return }
        var written = 0
        while written < state.pending.count {
            let count = state.pending[written...].withUnsafeBytes {
                Glibc.write(state.descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                written += count
                continue
            }
            if errno == EINTR { continue }
            if errno != EAGAIN {
                // The reader has gone; the next one begins with a whole item.
                close(state.descriptor)
                state = State()
                return
            }
            break
        }
        // A picture's memory goes when the picture has.
        if written == state.pending.count { state.pending = [] } else { state.pending.removeFirst(written) }
    }
}
