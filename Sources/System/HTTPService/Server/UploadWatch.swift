import CTuttiEvent

/// Looks at the beginning of each request of a connection, and says whether it is one with a long body: evhttp asks
/// for the limit before it tells of the request. Belongs to the server's thread.
struct UploadWatch {
    private let beginning: [UInt8]
    private var isDecided = false

    init(_ uploads: HTTPLimits.Uploads) { beginning = uploads.beginning }

    /// Begins with the next request.
    mutating func restart() { isDecided = false }

    /// Looks at what has come; returns whether an upload has begun. Once true, it is false until the next request.
    mutating func hasBegun(in input: OpaquePointer) -> Bool {
        guard !isDecided else { return false }
        var bytes = [UInt8](repeating: 0, count: beginning.count + 1)
        let count = max(0, evbuffer_copyout(input, &bytes, bytes.count))
        guard bytes[..<count].starts(with: beginning.prefix(count)) else {
            isDecided = true
            return false
        }
        guard count == bytes.count else { return false }
        isDecided = true
        return bytes[beginning.count] == UInt8(ascii: " ") || bytes[beginning.count] == UInt8(ascii: "?")
    }
}

/// The uploads at once. Belongs to the server's thread.
struct UploadSlots<Peer: Hashable> {
    private var all = 0
    private var byPeer: [Peer: Int] = [:]

    /// Takes a place.
    ///
    /// - Parameter peer: The other machine; `nil` for this one.
    mutating func take(_ uploads: HTTPLimits.Uploads, peer: Peer?) -> Bool {
        guard all < uploads.atOnce, peer.map({ byPeer[$0, default: 0] < uploads.perPeer }) ?? true else {
            return false
        }
        all += 1
        if let peer { byPeer[peer, default: 0] += 1 }
        return true
    }

    /// Gives a place back.
    mutating func giveBack(peer: Peer?) {
        all -= 1
        guard let peer, let count = byPeer[peer] else { return }
        byPeer[peer] = count > 1 ? count - 1 : nil
    }
}
