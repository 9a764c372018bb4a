import Dispatch
import Glibc

/// Standard input, read line by line.
public enum StandardInput {
    /// The limit of a line's bytes; the rest of a longer line is dropped.
    private static let lineLimit = 1024

    /// Waits for the next line; returns it without its end and without blanks around it, or `nil` at the end of
    /// the input.
    ///
    /// Does not block the caller's thread. Call it again only after it has returned.
    public static func line() async -> String? {
        await withCheckedContinuation { continuation in
            // A person may need minutes: a thread of its own, not one of the pool of async code.
            DispatchQueue(label: "tutti.input").async { continuation.resume(returning: nextLine()) }
        }
    }

    private static func nextLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return line.isEmpty ? nil : text(line) }
            if byte == 0x0A { return text(line) }
            if line.count < lineLimit { line.append(byte) }
        }
    }

    private static func text(_ line: [UInt8]) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        let head = line.drop(while: isBlank)
        let end = head.lastIndex { !isBlank($0) }
        return end.map { String(decoding: head[...$0], as: UTF8.self) } ?? ""
    }
}
