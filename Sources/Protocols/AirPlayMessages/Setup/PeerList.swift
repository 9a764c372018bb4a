/// Body of SETPEERS: every address of every member of the timing group, receivers first.
///
/// Each list is complete, not a change to the previous one.
public struct PeerList: PropertyListMessage, Hashable {
    /// IPv4 and IPv6 addresses as text.
    public var addresses: [String]

    /// Creates a list.
    public init(addresses: [String]) { self.addresses = addresses }

    public init(propertyList: PropertyList) throws(MessageError) {
        guard propertyList.arrayValue != nil else { throw .wrongType(key: "body", expected: "array") }
        addresses = Self.addresses(propertyList)
    }

    public var propertyList: PropertyList { .array(addresses.map { .string($0) }) }

    /// Most addresses of one list: a group of 32 with 8 addresses each.
    static let addressLimit = 256

    static func addresses(_ list: PropertyList) -> [String] {
        Array((list.arrayValue ?? []).compactMap(\.stringValue).prefix(addressLimit))
    }
}

/// Body of SETPEERSX: the peers with clock identities, for receivers with feature bit 52.
public struct ExtendedPeerList: PropertyListMessage, Hashable {
    /// All members of the timing group.
    public var peers: [TimingPeerInfo]

    /// Creates a list.
    public init(peers: [TimingPeerInfo]) { self.peers = peers }

    public init(propertyList: PropertyList) throws(MessageError) {
        guard let list = propertyList.arrayValue else { throw .wrongType(key: "body", expected: "array") }
        peers = []
        for entry in list.prefix(PeerList.addressLimit) {
            peers.append(try TimingPeerInfo(propertyList: entry))
        }
    }

    public var propertyList: PropertyList { .array(peers.map(\.propertyList)) }
}
