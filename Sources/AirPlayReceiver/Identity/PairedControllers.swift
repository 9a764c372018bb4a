internal import Cryptography
public import HomeKitPairing
internal import Synchronization

/// The controllers that have paired with one speaker by its PIN, in memory and on disk.
///
/// Any thread; changes wait for the disk.
public final class PairedControllers: Sendable {
    /// Most controllers of one speaker: the phones and computers of a household, and no more than one answer
    /// to `/pair-list` holds.
    public static let limit = 16

    private let peers: Mutex<[PairedPeer]>
    /// `nil` when nothing is kept on disk.
    private let file: PrivateFile?
    private let report: @Sendable (String) -> Void

    init(_ peers: [PairedPeer], file: PrivateFile?, report: @escaping @Sendable (String) -> Void) {
        self.peers = Mutex(peers)
        self.file = file
        self.report = report
    }

    /// All of them, in the order in which they came.
    public var all: [PairedPeer] { peers.withLock { $0 } }

    /// The controller with this identifier.
    public subscript(identifier: [UInt8]) -> PairedPeer? {
        peers.withLock { $0.first { $0.identifier == identifier } }
    }

    /// Keeps a controller, in place of an earlier one with its identifier.
    ///
    /// When it cannot be written, it is known as long as this process runs, and the user is told.
    /// - Parameter replacingOldest: Whether the oldest makes room when there are ``limit`` others.
    /// - Throws: ``PairingError/tooManyPeers`` when there is no room.
    public func add(_ peer: PairedPeer, replacingOldest: Bool = false) throws(PairingError) {
        let isFull = peers.withLock { peers in
            if let index = peers.firstIndex(where: { $0.identifier == peer.identifier }) {
                peers[index] = peer
            } else if peers.count < Self.limit || replacingOldest {
                if peers.count >= Self.limit { peers.removeFirst() }
                peers.append(peer)
            } else {
                return true
            }
            save(peers)
            return false
        }
        if isFull { throw .tooManyPeers }
    }

    /// Forgets the controller with this identifier.
    ///
    /// - Returns: Whether there was one.
    @discardableResult public func remove(_ identifier: [UInt8]) -> Bool {
        peers.withLock { peers in
            let count = peers.count
            peers.removeAll { $0.identifier == identifier }
            if peers.count != count { save(peers) }
            return peers.count != count
        }
    }

    /// Inside the lock, so that the file has the order of the changes.
    private func save(_ peers: [PairedPeer]) {
        guard let file else { return }
        do {
            try file.write(StableJSON.encode(ControllersFile(peers)))
        } catch {
            report("paired controllers are not kept: \(error)")
        }
    }
}

/// The form in which paired controllers are kept.
struct ControllersFile: Codable {
    struct Entry: Codable {
        /// UTF-8 by the standard; as digits, because nothing checks it.
        let identifier: String
        let publicKey: String
    }

    var version = 1
    let controllers: [Entry]

    init(_ peers: [PairedPeer]) {
        controllers = peers.map {
            Entry(identifier: Hex.text($0.identifier), publicKey: Hex.text($0.key.bytes))
        }
    }

    /// - Returns: `nil` when one of them is none, or there are too many.
    var peers: [PairedPeer]? {
        guard version == 1, controllers.count <= PairedControllers.limit else { return nil }
        let peers = controllers.compactMap { entry -> PairedPeer? in
            guard let identifier = Hex.bytes(entry.identifier), let bytes = Hex.bytes(entry.publicKey),
                let key = try? Ed25519VerifyingKey(bytes)
            else { return nil }
            return PairedPeer(identifier: identifier, key: key)
        }
        return peers.count == controllers.count ? peers : nil
    }
}
