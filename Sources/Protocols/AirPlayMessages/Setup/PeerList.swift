/// Body of SETPEERS: every address of every member of the timing group, receivers first.
///
/// Each list is complete, not a change to the previous one.
package struct PeerList: PropertyListMessage, Hashable {
    /// IPv4 and IPv6 addresses as text.
    package var addresses: [String]

    /// Creates a list.
    package init(addresses: [String]) { self.addresses = addresses }

    package init(propertyList: PropertyList) throws(MessageError) {
        guard propertyList.arrayValue != nil else { throw .wrongType(key: "body", expected: "array") }
        addresses = Self.addresses(propertyList)
    }

    package var propertyList: PropertyList { .array(addresses.map { .string($0) }) }

    /// Most addresses of one list: a group of 32 with 8 addresses each.
    static let addressLimit = 256

    static func addresses(_ list: PropertyList) -> [String] {
        Array((list.arrayValue ?? []).compactMap(\.stringValue).prefix(addressLimit))
    }
}

/// Body of SETPEERSX: the peers with clock identities, for receivers with feature bit 52.
package struct ExtendedPeerList: PropertyListMessage, Hashable {
    /// All members of the timing group.
    package var peers: [TimingPeerInfo]

    /// Creates a list.
    package init(peers: [TimingPeerInfo]) { self.peers = peers }

    package init(propertyList: PropertyList) throws(MessageError) {
        guard let list = propertyList.arrayValue else { throw .wrongType(key: "body", expected: "array") }
        peers = []
        for entry in list.prefix(PeerList.addressLimit) {
            peers.append(try TimingPeerInfo(propertyList: entry))
        }
    }

    package var propertyList: PropertyList { .array(peers.map(\.propertyList)) }
}
