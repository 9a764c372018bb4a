import HomeKitPairing

/// A speaker that has paired with this user's programs.
public struct PairedSpeaker: Sendable, Hashable, Identifiable {
    /// The limit of a stored name's bytes; mDNS allows 63.
    private static let nameByteLimit = 128
    /// The limit of an identifier's bytes; device ids have 17 characters.
    private static let idByteLimit = 64

    /// The speaker's device id, in lower case.
    public let id: String
    /// The name of the speaker when it was paired.
    public let name: String
    /// The speaker's identity, which it proves on every connection; `nil` for an Apple TV before HomeKit, which has none.
    let accessory: PairedPeer?

    /// - Parameters:
    ///   - name: The name that the speaker chose; stored without control characters, and shortened.
    ///   - accessory: `nil` for an Apple TV before HomeKit.
    /// - Returns: `nil` for an id that is not made of letters, digits and `:.-_` alone.
    init?(id: String, name: String, accessory: PairedPeer?) {
        let isPlain = id.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || $0.properties.numericType != nil
                    || ":.-_".unicodeScalars.contains($0))
        }
        guard isPlain, (1...Self.idByteLimit).contains(id.utf8.count) else { return nil }
        self.id = id.lowercased()
        self.name = Self.stored(name)
        self.accessory = accessory
    }

    private static func stored(_ name: String) -> String {
        var result = String.UnicodeScalarView()
        var byteCount = 0
        for scalar in name.unicodeScalars where scalar.properties.generalCategory != .control {
            byteCount += UTF8.width(scalar)
            if byteCount > nameByteLimit { break }
            result.append(scalar)
        }
        return String(result)
    }
}
