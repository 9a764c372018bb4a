import TuttiMediaTime

/// A participant in the clock traffic: `timingPeerInfo`, and the entries of SETPEERSX.
package struct TimingPeerInfo: PropertyListMessage, Hashable {
    /// A UUID; shairport-sync repeats the address.
    package var id: String
    /// IPv4 and IPv6 addresses as text; link-local ones with or without a zone.
    package var addresses: [String]
    /// PTP clock identity; shairport-sync omits it (*observed*).
    package var clockIdentity: ClockIdentity?
    /// Clock ports by UUID; only Apple devices send them.
    package var clockPorts: [String: UInt16]?
    /// The device type; 0 for a sender.
    package var deviceType: Int64?
    /// `SupportsClockPortMatchingOverride`
    package var supportsClockPortMatchingOverride: Bool?

    /// Creates a participant from its parts.
    package init(
        id: String, addresses: [String], clockIdentity: ClockIdentity? = nil,
        clockPorts: [String: UInt16]? = nil, deviceType: Int64? = nil,
        supportsClockPortMatchingOverride: Bool? = nil
    ) {
        self.id = id
        self.addresses = addresses
        self.clockIdentity = clockIdentity
        self.clockPorts = clockPorts
        self.deviceType = deviceType
        self.supportsClockPortMatchingOverride = supportsClockPortMatchingOverride
    }

    package init(propertyList: PropertyList) throws(MessageError) {
        let fields = try PropertyListFields(propertyList)
        id = fields["ID"]?.stringValue ?? ""
        addresses = fields["Addresses"].map(PeerList.addresses) ?? []
        clockIdentity = fields["ClockID"]?.unsignedValue.map { ClockIdentity(rawValue: $0) }
        clockPorts = fields["ClockPorts"]?.dictionaryValue?.compactMapValues {
            $0.integerValue.map { UInt16(truncatingIfNeeded: $0) }
        }
        deviceType = fields["DeviceType"]?.integerValue
        supportsClockPortMatchingOverride = fields["SupportsClockPortMatchingOverride"]?.booleanValue
    }

    package var propertyList: PropertyList {
        dictionary([
            "ID": .string(id),
            "Addresses": .array(addresses.map { .string($0) }),
            "ClockID": clockIdentity.map { .unsigned($0.rawValue) },
            "ClockPorts": clockPorts.map { .dictionary($0.mapValues { .integer(Int64($0)) }) },
            "DeviceType": deviceType.map { .integer($0) },
            "SupportsClockPortMatchingOverride": supportsClockPortMatchingOverride.map { .boolean($0) },
        ])
    }
}
