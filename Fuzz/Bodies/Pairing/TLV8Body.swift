import HomeKitPairing

/// Reads a list, writes it and reads the result.
public func fuzzTLV8(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let list = try? TLV8(exactly: bytes) else { return }
    let encoded = list.encoded
    try require(encoded.count <= bytes.count, "the encoding is the shortest one")
    try require(list.items.count <= TLV8.maximumItemCount, "items are bounded")
    guard let again = try? TLV8(exactly: encoded) else {
        throw BrokenInvariant(description: "what was encoded can be read")
    }
    try require(again == list, "what was encoded is the same list")
    try require(again.encoded == encoded, "encoding is stable")
    for item in list.items { _ = try? list.integer(item.tag) }
}
