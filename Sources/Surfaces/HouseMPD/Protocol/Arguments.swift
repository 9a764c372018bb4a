import Foundation

/// The values that commands take out of their arguments.
enum Argument {
    static func integer(_ text: String) throws(CommandError) -> Int {
        guard let value = Int(text) else { throw CommandError(.argument, "Integer expected: \(text)") }
        return value
    }

    /// Returns a number from 0 on.
    static func natural(_ text: String, upTo limit: Int = .max) throws(CommandError) -> Int {
        let value = try integer(text)
        guard value >= 0 else { throw CommandError(.argument, "Number too small: \(text)") }
        guard value <= limit else { throw CommandError(.argument, "Number too large: \(text)") }
        return value
    }

    static func number(_ text: String) throws(CommandError) -> Double {
        guard let value = Double(text), value.isFinite else {
            throw CommandError(.argument, "Float expected: \(text)")
        }
        return value
    }

    static func boolean(_ text: String) throws(CommandError) -> Bool {
        switch text {
        case "0": return false
        case "1": return true
        default: throw CommandError(.argument, "Boolean (0/1) expected: \(text)")
        }
    }

    /// Returns seconds from 0 on.
    static func seconds(_ text: String) throws(CommandError) -> Double {
        let value = try number(text)
        guard value >= 0 else { throw CommandError(.argument, "Negative value not allowed: \(text)") }
        return value
    }

    /// Returns the places of `N`, `START:END` or `START:`.
    ///
    /// - Parameter count: The length of the list, which an open end stands for.
    static func range(_ text: String, count: Int) throws(CommandError) -> Range<Int> {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = Int(parts[0]) else {
            throw CommandError(.argument, "Integer or range expected: \(text)")
        }
        guard start >= 0 else { throw CommandError(.argument, "Number too small: \(text)") }
        guard parts.count == 2 else {
            return start..<(start == .max ? start : start + 1)
        }
        if parts[1].isEmpty { return start..<max(start, count) }
        guard let end = Int(parts[1]) else {
            throw CommandError(.argument, "Integer or range expected: \(text)")
        }
        guard end >= start else { throw CommandError(.argument, "Bad range") }
        return start..<end
    }
}

/// A place in a queue: `N`, or `+N` and `-N` after and before the current song.
enum QueuePosition: Hashable, Sendable {
    case absolute(Int)
    case after(Int)
    case before(Int)

    init(_ text: String) throws(CommandError) {
        let digits = text.hasPrefix("+") || text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard let value = Int(digits), value >= 0, digits.first?.isNumber == true else {
            throw CommandError(.argument, "Integer expected: \(text)")
        }
        self = text.hasPrefix("+") ? .after(value) : text.hasPrefix("-") ? .before(value) : .absolute(value)
    }

    /// Returns the place to insert at.
    ///
    /// - Parameters:
    ///   - current: The place of the current song.
    ///   - count: The length of the queue.
    func place(current: Int?, count: Int) throws(CommandError) -> Int {
        let place: Int
        switch self {
        case .absolute(let value): place = value
        case .after(let offset):
            guard let current else { throw CommandError.noCurrentSong }
            place = offset <= count ? current + 1 + offset : .max
        case .before(let offset):
            guard let current else { throw CommandError.noCurrentSong }
            place = current - offset
        }
        guard place >= 0 else { throw CommandError(.argument, "Number too small: \(place)") }
        guard place <= count else { throw CommandError(.argument, "Number too large: \(place)") }
        return place
    }
}
