import Dispatch
import Glibc

/// A secret that a person types, without showing it; or the first line of standard input or of a file.
public enum SecretInput {
    /// Bytes of a secret; the rest of a longer line is dropped.
    private static let limit = 1024

    /// Returns the line; `nil` at the end of the input. Any thread; does not block the caller's.
    ///
    /// - Parameter prompt: Shown on standard error if standard input is a terminal.
    public static func line(prompt: String) async -> String? {
        await withCheckedContinuation { continuation in
            // A person may need minutes: a thread of its own, not one of the pool of async code.
            DispatchQueue(label: "tutti.secret").async { continuation.resume(returning: read(prompt)) }
        }
    }

    /// Whether a person can be asked: standard input and standard error are terminals.
    public static var canAsk: Bool {
        Terminal.isTTY(STDIN_FILENO) && Terminal.isTTY(StandardStream.error.rawValue)
    }

    /// Reads the first line of a file or a pipe; blocks until it is there.
    ///
    /// - Parameter path: `-` for standard input.
    /// - Returns: The line, `nil` without one, and whether other users can read the file.
    static func firstLine(of path: String) throws(UsageError) -> (line: String?, isOpen: Bool) {
        if path == "-" { return (readLine(STDIN_FILENO, isTyped: false), false) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw UsageError("\(Printable.text(path)) cannot be read: \(reason)", status: .notFound)
        }
        defer { close(descriptor) }
        var status = stat()
        let isOpen =
            fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_mode & 0o077 != 0
        return (readLine(descriptor, isTyped: false), isOpen)
    }

    private static func read(_ prompt: String) -> String? {
        guard Terminal.isTTY(STDIN_FILENO) else { return readLine(STDIN_FILENO, isTyped: false) }
        StandardStream.error.write(prompt)
        let mode = RawMode(STDIN_FILENO)
        defer {
            withExtendedLifetime(mode) {}
            StandardStream.error.write("\n")
        }
        return readLine(STDIN_FILENO, isTyped: true)
    }

    private static func readLine(_ descriptor: Int32, isTyped: Bool) -> String? {
        var line = SecretLine(isTyped: isTyped)
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return line.bytes.isEmpty ? nil : line.text }
            if line.take(byte) { return line.text }
        }
    }

    /// The bytes of a line while it is typed. A value.
    struct SecretLine {
        private(set) var bytes: [UInt8] = []
        /// Whether keys edit the line, as the terminal itself does not.
        let isTyped: Bool

        init(isTyped: Bool) { self.isTyped = isTyped }

        /// The line without its end.
        var text: String {
            String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes[...], as: UTF8.self)
        }

        /// Takes a byte.
        ///
        /// - Returns: Whether the line has ended.
        mutating func take(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x0A: return true
            // Ctrl-D.
            case 0x04 where isTyped: return true
            // Backspace takes a whole character.
            case 0x7F where isTyped, 0x08 where isTyped:
                while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
            // Ctrl-U.
            case 0x15 where isTyped: bytes = []
            default: if bytes.count < limit { bytes.append(byte) }
            }
            return false
        }
    }
}
