internal import CAvahi
import SystemIO

/// The two ways to announce: through the system's daemon, or with a whole mDNS stack in this process.
///
/// A group is a set of records that appear and vanish together. All calls with the lock of the loop held;
/// numbers that are returned are avahi's, negative for errors.
protocol PublishBackend: AnyObject {
    /// Whether somebody else announces the addresses of this host under its name.
    var announcesHost: Bool { get }
    /// The error of the last call that gave no number.
    var lastError: Int32 { get }

    /// - Parameter context: A ``Registration``, told of what becomes of the group.
    func makeGroup(context: UnsafeMutableRawPointer) -> OpaquePointer?
    func add(
        _ service: AdvertisedService, name: String, host: String?, interface: Int32, to group: OpaquePointer
    ) -> Int32
    func add(_ address: HostAddress, host: String, to group: OpaquePointer) -> Int32
    func commit(_ group: OpaquePointer) -> Int32
    func updateTXT(
        of service: AdvertisedService, name: String, interface: Int32, in group: OpaquePointer
    ) -> Int32
    /// Withdraws the records of a group, to fill it anew.
    func reset(_ group: OpaquePointer)
    func free(_ group: OpaquePointer)
    /// Frees everything, groups too.
    func close()
}

/// An address of this host on one interface.
struct HostAddress: Hashable, Sendable {
    let interface: Int32
    let address: IPAddress

    /// Most addresses announced of one speaker; a host with containers has dozens.
    static let limit = 64

    /// The address in avahi's form.
    var avahi: AvahiAddress {
        var result = AvahiAddress()
        // Numbers and no name: cannot fail for an address that is one.
        avahi_address_parse(address.textWithoutZone, address.family.avahiProtocol, &result)
        return result
    }
}

extension AvahiAny {
    static let publishFlags = AvahiPublishFlags(rawValue: 0)
    /// Beside another stack on this host, a record from address to name of our own would collide with its.
    static let withoutReverse = AVAHI_PUBLISH_NO_REVERSE
}

/// Calls `body` with the entries as a list of avahi's, which is gone afterwards.
func withAvahiList<Result>(
    _ entries: [TXTEntry], _ body: (UnsafeMutablePointer<AvahiStringList>?) -> Result
) -> Result {
    var list: UnsafeMutablePointer<AvahiStringList>?
    // Each is put in front of the list, and the list is written from its end.
    for entry in entries.prefix(TXTEntry.countLimit) {
        let string = Array("\(entry.key)=\(entry.value)".utf8.prefix(TXTEntry.lengthLimit))
        list = avahi_string_list_add_arbitrary(list, string, string.count)
    }
    defer { avahi_string_list_free(list) }
    return body(list)
}
