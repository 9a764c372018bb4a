/// The keys of a TXT record, case-insensitive; the first of duplicate keys counts.
package struct TXTFields: Hashable, Sendable {
    /// Values by lower-case key.
    package private(set) var values: [String: String] = [:]

    /// Most keys of one record. Real ones have about 25.
    package static let countLimit = 128

    /// Creates the fields from key-value pairs.
    package init(_ pairs: some Sequence<(key: String, value: String)>) {
        for (key, value) in pairs.prefix(Self.countLimit) where values[key.lowercased()] == nil {
            values[key.lowercased()] = value
        }
    }

    /// Reads the record as data, in the form of `/info`: strings, each after a length byte. Drops a truncated
    /// last string.
    package init(data: [UInt8]) {
        var pairs: [(key: String, value: String)] = []
        var rest = data[...]
        while let count = rest.first.map(Int.init), rest.count > count, pairs.count < Self.countLimit {
            let string = rest.dropFirst().prefix(count)
            rest = rest.dropFirst(count + 1)
            let parts = string.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = parts.first, !key.isEmpty else { continue }
            let value = parts.count > 1 ? parts[1] : []
            pairs.append((String(decoding: key, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        self.init(pairs)
    }

    /// Returns the value of a key in any case.
    package subscript(key: String) -> String? { values[key.lowercased()] }

    func boolean(_ key: String) -> Bool? {
        switch self[key]?.lowercased() {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
    }

    func numbers(_ key: String) -> [Int]? {
        self[key]?.split(separator: ",").compactMap { Int($0) }
    }
}
