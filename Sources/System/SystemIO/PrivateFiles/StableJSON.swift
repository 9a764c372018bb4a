import Foundation

/// JSON with a stable byte representation, for files that are compared.
package enum StableJSON {
    /// Returns the text of a value, with a final line break.
    package static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Cannot fail: the encoded types are ours and hold strings and numbers only.
        return Array((try? encoder.encode(value)) ?? Data()) + [0x0A]
    }

    /// Returns the value of a text; `nil` for any other text.
    package static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        try? JSONDecoder().decode(type, from: Data(bytes))
    }
}

/// Hexadecimal coding of bytes.
package enum Hex {
    /// Returns two lower-case digits for each byte.
    package static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// - Returns: `nil` unless the text is an even number of hexadecimal digits.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension PrivateFile {
    /// Reads and decodes the file.
    ///
    /// - Parameters:
    ///   - report: Receives problems in words for the user: a file that others could read, a broken file.
    ///   - decode: Returns the file's value; `nil` for a broken file.
    /// - Returns: `nil` if the file is missing, or was broken and has been set aside.
    package func decoded<Value>(
        _ report: (String) -> Void, _ decode: ([UInt8]) -> Value?
    ) throws(PrivateFileError) -> Value? {
        guard case .bytes(let bytes, let wasOpen) = try read() else { return nil }
        if wasOpen {
            report(
                "\(path) was readable by others; its permissions were restricted, but its keys may be known")
        }
        if let value = decode(bytes) { return value }
        guard let other = setAside() else { throw PrivateFileError(path, "is broken and cannot be moved") }
        report("\(path) is broken; it was moved to \(other), and a new one is created")
        return nil
    }
}
