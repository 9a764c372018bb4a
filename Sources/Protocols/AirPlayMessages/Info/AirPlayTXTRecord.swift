/// The TXT record of `_airplay._tcp`. Any key may be missing or malformed, and is then `nil`.
package struct AirPlayTXTRecord: Hashable, Sendable {
    /// All keys, as received.
    package let fields: TXTFields

    /// Creates a record from its fields.
    package init(_ fields: TXTFields) { self.fields = fields }

    /// Creates a record from key-value pairs.
    package init(_ pairs: some Sequence<(key: String, value: String)>) { fields = TXTFields(pairs) }

    /// A MAC address as text; links this record with the RAOP record.
    package var deviceID: String? { fields["deviceid"] }
    /// The features, from `features`, else from `fex`.
    package var features: AirPlayFeatures? {
        fields["features"].flatMap { AirPlayFeatures(text: $0) }
            ?? fields["fex"].flatMap { AirPlayFeatures(base64: $0) }
    }
    /// `flags`
    package var statusFlags: AirPlayStatusFlags? { fields["flags"].flatMap { AirPlayStatusFlags(text: $0) } }
    /// The model identifier.
    package var model: String? { fields["model"] }
    /// The manufacturer.
    package var manufacturer: String? { fields["manufacturer"] }
    /// The serial number.
    package var serialNumber: String? { fields["serialNumber"] }
    /// `fv`
    package var firmwareVersion: String? { fields["fv"] }
    /// `protovers`
    package var protocolVersion: String? { fields["protovers"] }
    /// `srcvers`, the AirPlay version.
    package var sourceVersion: String? { fields["srcvers"] }
    /// `osvers`
    package var osVersion: String? { fields["osvers"] }
    /// 0 everyone, 1 same network, 2 same home.
    package var accessControlLevel: Int? { fields["acl"].flatMap { Int($0) } }
    /// `act`. *Observed*: another sender takes 2 on a Mac for "not supported".
    package var act: Int? { fields["act"].flatMap { Int($0) } }
    /// `pw`
    package var requiresPassword: Bool? { fields.boolean("pw") }
    /// Ed25519 long-term public key, 32 bytes.
    package var publicKey: [UInt8]? { fields["pk"].flatMap(hexBytes).flatMap { $0.count == 32 ? $0 : nil } }
    /// `pi`, a stable identifier of the device.
    package var publicID: String? { fields["pi"] }
    /// `psi`
    package var publicSystemID: String? { fields["psi"] }
    /// `gid`; outside a session the same as ``publicID``.
    package var groupID: String? { fields["gid"] }
    /// `igl`
    package var isGroupLeader: Bool? { fields.boolean("igl") }
    /// `gcgl`
    package var groupContainsGroupLeader: Bool? { fields.boolean("gcgl") }
    /// `gpn`
    package var groupPublicName: String? { fields["gpn"] }
    /// `pgid`
    package var parentGroupID: String? { fields["pgid"] }
    /// `pgcgl`
    package var parentGroupContainsGroupLeader: Bool? { fields.boolean("pgcgl") }
    /// `tsid`; the same in both halves of a stereo pair.
    package var tightSyncID: String? { fields["tsid"] }
    /// `hkid`
    package var homeKitID: String? { fields["hkid"] }
    /// `hgid`
    package var homeGroupID: String? { fields["hgid"] }
    /// `hmid`
    package var homeID: String? { fields["hmid"] }
    /// `btaddr`
    package var bluetoothAddress: String? { fields["btaddr"] }
    /// `rsf`
    package var requiredSenderFeatures: AirPlayFeatures? {
        fields["rsf"].flatMap { AirPlayFeatures(text: $0) }
    }
    /// `vv`
    package var vodkaVersion: Int? { fields["vv"].flatMap { Int($0) } }
}
