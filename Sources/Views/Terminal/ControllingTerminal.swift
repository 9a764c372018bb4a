import Dispatch
import Glibc
import Synchronization

/// The terminal that the program was started on.
final class ControllingTerminal: PickerTerminal {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "tutti.picker")
    /// Typed ahead of the question.
    private let pending = Mutex<[UInt8]>([])

    /// - Parameter path: of a terminal; a description of its own is opened, so nobody else's modes change.
    /// - Returns: `nil` when there is none, or it belongs to another group of processes at the moment:
    ///   reading would stop the program.
    init?(path: String = "/dev/tty") {
        descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let owner = tcgetpgrp(descriptor)
        // The class is whole here, so its `deinit` closes.
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

    /// A stopped terminal (Ctrl-S) is not waited for.
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
            // The Enter that was not shown.
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

/// A terminal that shows nothing of what is typed, and sends Ctrl-C as a byte, so that the program does not end
/// with the terminal in this mode.
private struct SecretMode {
    private let descriptor: Int32
    private var saved = termios()

    init?(_ descriptor: Int32) {
        self.descriptor = descriptor
        guard tcgetattr(descriptor, &saved) == 0 else { return nil }
        var secret = saved
        secret.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | ISIG)
        // What was typed before the question is not the answer.
        guard tcsetattr(descriptor, TCSAFLUSH, &secret) == 0 else { return nil }
    }

    func end() {
        var mode = saved
        tcsetattr(descriptor, TCSANOW, &mode)
    }
}
