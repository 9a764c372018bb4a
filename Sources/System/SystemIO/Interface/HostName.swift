import Dispatch
import Glibc

/// Resolution of a host name, or of an address as text.
package enum HostName {
    /// Returns the addresses of `name` without duplicates, IPv4 first.
    ///
    /// Runs the system's resolver on another thread; cancelling the task does not cancel the lookup.
    /// - Throws: ``ResolveError`` with the resolver's message.
    package static func resolve(_ name: String, port: UInt16) async throws(ResolveError) -> [SocketAddress] {
        if let address = IPAddress(name) { return [SocketAddress(address, port: port)] }
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: lookUp(name, port: port)) }
        }
        return try result.get()
    }

    private static func lookUp(_ name: String, port: UInt16) -> Result<[SocketAddress], ResolveError> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &list)
        guard code == 0 else {
            return .failure(ResolveError(name: name, text: String(cString: gai_strerror(code))))
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }) {
            guard let entry = entry?.pointee, let pointer = entry.ai_addr,
                var address = SocketAddress(pointer, length: Int(entry.ai_addrlen))
            else { continue }
            address.port = port
            if !addresses.contains(address) { addresses.append(address) }
        }
        return .success(
            addresses.filter { $0.address.family == .v4 } + addresses.filter { $0.address.family == .v6 })
    }
}

/// The failure to resolve a name.
package struct ResolveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name that was looked up.
    package let name: String
    /// The resolver's message.
    package let text: String

    /// The message for the user, with the name.
    package var description: String { "\(name): \(text)" }
}
