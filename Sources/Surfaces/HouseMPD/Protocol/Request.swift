/// A command with its arguments, out of a line.
struct Request: Sendable, Hashable {
    /// The most arguments of a command.
    private static let argumentLimit = 256

    var name: String
    var arguments: [String]

    /// Takes a line apart: words between spaces or tabs, or between quotes, in which a backslash stands
    /// before a quote or a backslash.
    init(_ line: [UInt8]) throws(CommandError) {
        var scanner = Scanner(bytes: line[...])
        name = scanner.word { $0 >= 0x61 && $0 <= 0x7A || $0 == 0x5F }
        guard !name.isEmpty else { throw CommandError(.unknown, "No command given") }
        guard scanner.isAtSpace else { throw CommandError(.unknown, "Letter expected") }
        arguments = []
        while let argument = try scanner.argument() {
            guard arguments.count < Self.argumentLimit else {
                throw CommandError(.argument, "Too many arguments")
            }
            arguments.append(argument)
        }
    }

    private struct Scanner {
        var bytes: ArraySlice<UInt8>

        var isAtSpace: Bool { bytes.first.map(Self.isSpace) ?? true }

        static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }

        mutating func word(_ isPart: (UInt8) -> Bool) -> String {
            let word = bytes.prefix(while: isPart)
            bytes = bytes[word.endIndex...]
            return String(decoding: word, as: UTF8.self)
        }

        /// Returns the next argument; `nil` at the end.
        mutating func argument() throws(CommandError) -> String? {
            bytes = bytes.drop(while: Self.isSpace)
            guard let first = bytes.first else { return nil }
            if first == 0x22 { return try quoted() }
            let word = word { !Self.isSpace($0) && $0 != 0x22 && $0 != 0x27 }
            guard isAtSpace else { throw CommandError(.unknown, "Invalid unquoted character") }
            return word
        }

        private mutating func quoted() throws(CommandError) -> String {
            var value: [UInt8] = []
            bytes.removeFirst()
            while let byte = bytes.popFirst() {
                switch byte {
                case 0x22:
                    guard isAtSpace else { throw CommandError(.unknown, "Space expected after closing '\"'") }
                    return String(decoding: value, as: UTF8.self)
                case 0x5C:
                    guard let escaped = bytes.popFirst() else { break }
                    value.append(escaped)
                default: value.append(byte)
                }
            }
            throw CommandError(.unknown, "Missing closing '\"'")
        }
    }
}
