internal import CAvahi
internal import Glibc

/// The groups of one avahi client, freed by the function that is meant for them.
///
/// libavahi-client and libavahi-core both have a function `avahi_entry_group_free`, with other arguments. In
/// a program that links both, every call goes to one of the two, those inside the libraries too; ours and
/// avahi-client's go to the wrong one, which ends in a crash (*observed* with avahi 0.8). So it is asked for
/// by library, and `avahi_client_free` is called only when no groups are left for it to free.
struct ClientGroups {
    private typealias Free = @convention(c) (OpaquePointer?) -> Int32

    private var groups: [OpaquePointer] = []
    private let free: Free?

    init() {
        // Loaded already; its number has not changed in all releases with this interface. Never closed.
        let library = dlopen("libavahi-client.so.3", RTLD_NOW | RTLD_NOLOAD)
        let symbol = library.flatMap { dlsym($0, "avahi_entry_group_free") }
        free = symbol.map { unsafeBitCast($0, to: Free.self) }
    }

    /// Notes a group that was made.
    mutating func insert(_ group: OpaquePointer) { groups.append(group) }

    /// Frees a group, or takes back its records where it cannot be freed.
    mutating func free(_ group: OpaquePointer) {
        guard let free else {
            avahi_entry_group_reset(group)
            return
        }
        groups.removeAll { $0 == group }
        _ = free(group)
    }

    /// Frees what is left.
    ///
    /// - Returns: Whether the client may be freed; one that may not is left to the end of the process.
    mutating func freeAll() -> Bool {
        for group in groups { free(group) }
        return groups.isEmpty
    }
}
