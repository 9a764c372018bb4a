import Glibc
import Synchronization
import TuttiCommandLineInterface

/// A writer of metadata to a named pipe.
///
/// Drops items while there is no reader. A slow reader gets whole items or none, and never delays the music.
final class MetadataPipe: Sendable {
    /// The most bytes that wait for a slow reader; a picture fits.
    private static let pendingLimit = 4 << 20

    private struct State {
        var descriptor: Int32 = -1
        var pending: [UInt8] = []
    }

    private let path: String
    private let state = Mutex(State())

    /// Creates the pipe if nothing exists at the path.
    ///
    /// - Throws: ``UsageError`` if the path exists and is not a pipe, or if the pipe cannot be created.
    init(path: String) throws(UsageError) {
        self.path = path
        var info = stat()
        if stat(path, &info) == 0 {
            guard info.st_mode & S_IFMT == S_IFIFO else {
                throw UsageError("\(path) is not a named pipe; remove it, or choose another path")
            }
        } else if mkfifo(path, 0o644) != 0 {
            throw UsageError("cannot create the named pipe \(path): \(String(cString: strerror(errno)))")
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

    /// Sends bytes that a slow reader has not taken yet; call this method periodically.
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
                // The reader is gone; the next reader starts with a whole item.
                close(state.descriptor)
                state = State()
                return
            }
            break
        }
        // An emptied buffer releases the memory of a picture.
        if written == state.pending.count { state.pending = [] } else { state.pending.removeFirst(written) }
    }
}
