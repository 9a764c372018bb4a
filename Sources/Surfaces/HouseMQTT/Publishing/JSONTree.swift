/// A value of JSON, to be written.
enum JSONTree: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    /// The text, or null.
    static func text(_ text: String?) -> JSONTree { text.map { .text($0) } ?? .null }

    /// The number rounded to so many decimals, or null; JSON has no infinity.
    static func number(_ number: Double?, decimals: Int) -> JSONTree {
        guard let number, number.isFinite else { return .null }
        return .number(Decimals.rounded(number, decimals))
    }

    /// A list of texts.
    static func texts(_ texts: [String]) -> JSONTree { .list(texts.map { .text($0) }) }

    /// The JSON, with sorted keys. Foundation's encoder takes ten times as long, while the house waits.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        write(into: &bytes)
        return bytes
    }

    private func write(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): bytes += Decimals.spelled(value).utf8
        case .text(let value): Self.write(value, into: &bytes)
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (place, value) in values.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(into: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (place, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.key, into: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(into: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
}

/// Numbers as text.
enum Decimals {
    /// Rounds to so many decimals, 0 ... 3.
    static func rounded(_ number: Double, _ decimals: Int) -> Double {
        let scale = [1.0, 10, 100, 1_000][min(max(decimals, 0), 3)]
        let rounded = (number * scale).rounded() / scale
        // The largest numbers have no decimals to round.
        return rounded.isFinite ? rounded : number
    }

    /// Returns a number without needless zeros; empty for `nil` and for what is not finite.
    static func text(_ number: Double?, _ decimals: Int) -> String {
        guard let number, number.isFinite else { return "" }
        return spelled(rounded(number, decimals))
    }

    /// Returns a number as JSON has it; `null` for one that JSON lacks.
    static func spelled(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
