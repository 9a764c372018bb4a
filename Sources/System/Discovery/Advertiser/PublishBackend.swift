import CTuttiAvahi
import TuttiSystemIO

/// A way to announce: through the system's daemon, or with our own mDNS stack in this process.
///
/// A group is a set of records that appear and vanish together. Call every method with the loop's lock held.
/// The returned numbers are avahi's, negative for errors.
protocol PublishBackend: AnyObject {
    /// Whether the backend announces this host's addresses under the host's own name.
    var announcesHost: Bool { get }
    /// The error of the last call that returned no number.
    var lastError: Int32 { get }

    /// - Parameter context: A ``Registration``, which is notified of the group's state changes.
    func makeGroup(context: UnsafeMutableRawPointer) -> OpaquePointer?
    func add(
        _ service: AdvertisedService, name: String, host: String?, interface: Int32, to group: OpaquePointer
    ) -> Int32
    func add(_ address: HostAddress, host: String, to group: OpaquePointer) -> Int32
    func commit(_ group: OpaquePointer) -> Int32
    func updateTXT(
        of service: AdvertisedService, name: String, interface: Int32, in group: OpaquePointer
    ) -> Int32
    /// Withdraws the records of a group, so that the group can be filled again.
    func reset(_ group: OpaquePointer)
    func free(_ group: OpaquePointer)
    /// Frees everything, including the groups.
    func close()
}

/// An address of this host on one interface.
struct HostAddress: Hashable, Sendable {
    let interface: Int32
    let address: IPAddress

    /// The maximum number of addresses announced per speaker; a host with containers has dozens.
    static let limit = 64

    /// The address in avahi's form.
    var avahi: AvahiAddress {
        var result = AvahiAddress()
        // A numeric address needs no lookup, so parsing cannot fail.
        avahi_address_parse(address.textWithoutZone, address.family.avahiProtocol, &result)
        return result
    }
}

extension AvahiAny {
    static let publishFlags = AvahiPublishFlags(rawValue: 0)
    /// With another stack on this host, our own reverse record would collide with that stack's record.
    static let withoutReverse = AVAHI_PUBLISH_NO_REVERSE
}

/// Calls `body` with the entries as an avahi list, which is freed afterwards.
func withAvahiList<Result>(
    _ entries: [TXTEntry], _ body: (UnsafeMutablePointer<AvahiStringList>?) -> Result
) -> Result {
    var list: UnsafeMutablePointer<AvahiStringList>?
    // avahi prepends each string, and writes the list from its end.
    for entry in entries.prefix(TXTEntry.countLimit) {
        let string = Array("\(entry.key)=\(entry.value)".utf8.prefix(TXTEntry.lengthLimit))
        list = avahi_string_list_add_arbitrary(list, string, string.count)
    }
    defer { avahi_string_list_free(list) }
    return body(list)
}
