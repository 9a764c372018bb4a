/// The TXT record of `_raop._tcp`. Any key may be missing or malformed, and is then `nil`.
package struct RAOPTXTRecord: Hashable, Sendable {
    /// All keys, as received.
    package let fields: TXTFields

    /// Creates a record from its fields.
    package init(_ fields: TXTFields) { self.fields = fields }

    /// Creates a record from key-value pairs.
    package init(_ pairs: some Sequence<(key: String, value: String)>) { fields = TXTFields(pairs) }

    /// `tp`: transports, e.g. `UDP`.
    package var transports: [String] {
        (fields["tp"] ?? "").split(separator: ",").map { $0.uppercased() }
    }
    /// `cn`: 0 PCM, 1 ALAC, 2 AAC, 3 AAC-ELD.
    package var codecs: [Int]? { fields.numbers("cn") }
    /// `et`: 0 none, 1 RSA, 3 FairPlay, 4 MFi-SAP, 5 FairPlay SAP 2.5.
    package var encryptionTypes: [Int]? { fields.numbers("et") }
    /// `md`: 0 text, 1 artwork, 2 progress.
    package var metadataKinds: [Int]? { fields.numbers("md") }
    /// `ft`
    package var features: AirPlayFeatures? { fields["ft"].flatMap { AirPlayFeatures(text: $0) } }
    /// `sf`
    package var statusFlags: AirPlayStatusFlags? { fields["sf"].flatMap { AirPlayStatusFlags(text: $0) } }
    /// `am`
    package var model: String? { fields["am"] }
    /// `vs`
    package var sourceVersion: String? { fields["vs"] }
    /// `ov`
    package var osVersion: String? { fields["ov"] }
    /// `vn`
    package var versionNumber: Int? { fields["vn"].flatMap { Int($0) } }
    /// `txtvers`
    package var textVersion: Int? { fields["txtvers"].flatMap { Int($0) } }
    /// `fv`
    package var firmwareVersion: String? { fields["fv"] }
    /// `pw`
    package var requiresPassword: Bool? { fields.boolean("pw") }
    /// `da`
    package var usesDigestAuthentication: Bool? { fields.boolean("da") }
    /// `ek`
    package var hasRSAKey: Bool? { fields.boolean("ek") }
    /// `sv`
    package var sv: Bool? { fields.boolean("sv") }
    /// `sr`, frames per second.
    package var sampleRate: Int? { fields["sr"].flatMap { Int($0) } }
    /// `ss`, bits.
    package var sampleSize: Int? { fields["ss"].flatMap { Int($0) } }
    /// `ch`
    package var channelCount: Int? { fields["ch"].flatMap { Int($0) } }
    /// Ed25519 long-term public key, 32 bytes.
    package var publicKey: [UInt8]? { fields["pk"].flatMap(hexBytes).flatMap { $0.count == 32 ? $0 : nil } }

    /// Splits an instance name `<12 digits>@<name>` into the MAC address, as `deviceid` spells it, and the
    /// name; `nil` for another form.
    package static func split(instanceName: String) -> (deviceID: String, name: String)? {
        // Bytes and not characters: the sign and a combining mark after it are one character.
        let parts = instanceName.utf8.split(
            separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 12, let bytes = hexBytes(String(Substring(parts[0]))) else {
            return nil
        }
        let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
        return (text, String(Substring(parts[1])))
    }
}
