import AirPlayMessages

/// Reads a property list, writes it and reads the result.
public func fuzzPropertyList(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let list = try? PropertyList(parsing: bytes) else { return }
    guard let again = try? PropertyList(parsing: list.encoded) else {
        throw BrokenInvariant(description: "a list that was encoded can be read")
    }
    try require(again.isSame(as: list), "a list that was encoded is the same")
}

extension PropertyList {
    /// Equality in which NaN equals itself.
    func isSame(as other: PropertyList) -> Bool {
        switch (self, other) {
        case (.real(let one), .real(let two)), (.date(let one), .date(let two)):
            one == two || (one.isNaN && two.isNaN)
        case (.array(let one), .array(let two)):
            one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1) }
        case (.dictionary(let one), .dictionary(let two)):
            one.count == two.count
                && one.allSatisfy { key, value in two[key].map { value.isSame(as: $0) } ?? false }
        default: self == other
        }
    }
}
