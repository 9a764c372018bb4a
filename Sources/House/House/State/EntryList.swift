import Foundation

/// Identities of entries as bytes, eight each, little-endian.
enum EntryList {
    static func encode(_ ids: [EntryID]) -> Data {
        var data = Data(capacity: ids.count * 8)
        for id in ids { withUnsafeBytes(of: id.rawValue.littleEndian) { data.append(contentsOf: $0) } }
        return data
    }

    /// Decodes identities; ignores a cut last one.
    static func decode(_ data: Data) -> [EntryID] {
        let bytes = [UInt8](data)
        return stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            let value = bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return EntryID(rawValue: Int64(bitPattern: value))
        }
    }
}
