import CTuttiAvahi
import Glibc

/// The entry groups of one avahi client, freed by the function of the right library.
///
/// libavahi-client and libavahi-core both export `avahi_entry_group_free`, with different arguments. In a
/// program that links both, every call resolves to one of the two, calls inside the libraries too; ours and
/// avahi-client's resolve to the wrong function and crash (*observed* with avahi 0.8). So this type looks the
/// function up in its library, and the client is freed with `avahi_client_free` only when it has no groups
/// left to free.
struct ClientGroups {
    private typealias Free = @convention(c) (OpaquePointer?) -> Int32

    private var groups: [OpaquePointer] = []
    private let free: Free?

    init() {
        // Already loaded; the library's number has not changed in all releases with this interface. Never
        // closed.
        let library = dlopen("libavahi-client.so.3", RTLD_NOW | RTLD_NOLOAD)
        let symbol = library.flatMap { dlsym($0, "avahi_entry_group_free") }
        free = symbol.map { unsafeBitCast($0, to: Free.self) }
    }

    /// Records a new group.
    mutating func insert(_ group: OpaquePointer) { groups.append(group) }

    /// Frees a group, or withdraws its records if the group cannot be freed.
    mutating func free(_ group: OpaquePointer) {
        guard let free else {
            avahi_entry_group_reset(group)
            return
        }
        groups.removeAll { $0 == group }
        _ = free(group)
    }

    /// Frees the remaining groups.
    ///
    /// - Returns: Whether the client may be freed; otherwise the client must stay until the process ends.
    mutating func freeAll() -> Bool {
        for group in groups { free(group) }
        return groups.isEmpty
    }
}
