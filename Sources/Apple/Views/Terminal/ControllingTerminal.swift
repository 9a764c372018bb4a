import Dispatch
import Glibc
import Synchronization

/// The terminal on which the program was started.
final class ControllingTerminal: PickerTerminal {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "tutti.picker")
    /// Bytes typed before the question.
    private let pending = Mutex<[UInt8]>([])

    /// - Parameter path: The path of a terminal. The initializer opens its own file description, so that
    ///   other users' file status flags stay unchanged.
    /// - Returns: `nil` if there is no terminal, or if another process group is in the foreground: reading
    ///   would then stop the program.
    init?(path: String = "/dev/tty") {
        descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let owner = tcgetpgrp(descriptor)
        // The object is fully initialized here, so `deinit` closes the descriptor.
        guard isatty(descriptor) == 1, owner < 0 || owner == getpgrp() else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN, waitUntilWritable() {
                continue
            } else if errno != EINTR {
                return
            }
        }
    }

    /// Waits at most 200 ms, so that a stopped terminal (Ctrl-S) does not block.
    private func waitUntilWritable() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, 200) == 1 && entry.revents & Int16(POLLOUT) != 0
    }

    func readLine(isSecret: Bool) async -> String? {
        let mode = isSecret ? SecretMode(descriptor) : nil
        if isSecret, mode == nil { return nil }
        let reading = LineReading(
            descriptor, of: self, pending: isSecret ? [] : takePending(), on: queue)
        let line = await withTaskCancellationHandler {
            await reading.line()
        } onCancel: {
            reading.cancel()
        }
        let rest = isSecret ? [] : reading.rest
        pending.withLock { $0 = rest }
        if let mode {
            mode.end()
            // Echo was off, so the Enter key has not moved the cursor.
            write("\n")
        }
        return line
    }

    private func takePending() -> [UInt8] {
        pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }
}

/// A terminal mode without echo that delivers Ctrl-C as a byte, so that the program cannot end with the
/// terminal in this mode.
private struct SecretMode {
    private let descriptor: Int32
    private var saved = termios()

    init?(_ descriptor: Int32) {
        self.descriptor = descriptor
        guard tcgetattr(descriptor, &saved) == 0 else { return nil }
        var secret = saved
        secret.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | ISIG)
        // TCSAFLUSH discards input typed before the question.
        guard tcsetattr(descriptor, TCSAFLUSH, &secret) == 0 else { return nil }
    }

    func end() {
        var mode = saved
        tcsetattr(descriptor, TCSANOW, &mode)
    }
}
