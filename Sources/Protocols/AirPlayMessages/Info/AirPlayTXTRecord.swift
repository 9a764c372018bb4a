/// The TXT record of `_airplay._tcp`. Any key may be missing or malformed, and is then `nil`.
public struct AirPlayTXTRecord: Hashable, Sendable {
    /// All keys, as received.
    public let fields: TXTFields

    /// Creates a record from its fields.
    public init(_ fields: TXTFields) { self.fields = fields }

    /// Creates a record from key-value pairs.
    public init(_ pairs: some Sequence<(key: String, value: String)>) { fields = TXTFields(pairs) }

    /// A MAC address as text; links this record with the RAOP record.
    public var deviceID: String? { fields["deviceid"] }
    /// The features, from `features`, else from `fex`.
    public var features: AirPlayFeatures? {
        fields["features"].flatMap { AirPlayFeatures(text: $0) }
            ?? fields["fex"].flatMap { AirPlayFeatures(base64: $0) }
    }
    /// `flags`
    public var statusFlags: AirPlayStatusFlags? { fields["flags"].flatMap { AirPlayStatusFlags(text: $0) } }
    /// The model identifier.
    public var model: String? { fields["model"] }
    /// The manufacturer.
    public var manufacturer: String? { fields["manufacturer"] }
    /// The serial number.
    public var serialNumber: String? { fields["serialNumber"] }
    /// `fv`
    public var firmwareVersion: String? { fields["fv"] }
    /// `protovers`
    public var protocolVersion: String? { fields["protovers"] }
    /// `srcvers`, the AirPlay version.
    public var sourceVersion: String? { fields["srcvers"] }
    /// `osvers`
    public var osVersion: String? { fields["osvers"] }
    /// 0 everyone, 1 same network, 2 same home.
    public var accessControlLevel: Int? { fields["acl"].flatMap { Int($0) } }
    /// `act`. *Observed*: another sender takes 2 on a Mac for "not supported".
    public var act: Int? { fields["act"].flatMap { Int($0) } }
    /// `pw`
    public var requiresPassword: Bool? { fields.boolean("pw") }
    /// Ed25519 long-term public key, 32 bytes.
    public var publicKey: [UInt8]? { fields["pk"].flatMap(hexBytes).flatMap { $0.count == 32 ? $0 : nil } }
    /// `pi`, a stable identifier of the device.
    public var publicID: String? { fields["pi"] }
    /// `psi`
    public var publicSystemID: String? { fields["psi"] }
    /// `gid`; outside a session the same as ``publicID``.
    public var groupID: String? { fields["gid"] }
    /// `igl`
    public var isGroupLeader: Bool? { fields.boolean("igl") }
    /// `gcgl`
    public var groupContainsGroupLeader: Bool? { fields.boolean("gcgl") }
    /// `gpn`
    public var groupPublicName: String? { fields["gpn"] }
    /// `pgid`
    public var parentGroupID: String? { fields["pgid"] }
    /// `pgcgl`
    public var parentGroupContainsGroupLeader: Bool? { fields.boolean("pgcgl") }
    /// `tsid`; the same in both halves of a stereo pair.
    public var tightSyncID: String? { fields["tsid"] }
    /// `hkid`
    public var homeKitID: String? { fields["hkid"] }
    /// `hgid`
    public var homeGroupID: String? { fields["hgid"] }
    /// `hmid`
    public var homeID: String? { fields["hmid"] }
    /// `btaddr`
    public var bluetoothAddress: String? { fields["btaddr"] }
    /// `rsf`
    public var requiredSenderFeatures: AirPlayFeatures? {
        fields["rsf"].flatMap { AirPlayFeatures(text: $0) }
    }
    /// `vv`
    public var vodkaVersion: Int? { fields["vv"].flatMap { Int($0) } }
}
