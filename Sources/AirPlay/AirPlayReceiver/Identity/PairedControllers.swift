import HomeKitPairing
import Synchronization
import TuttiCryptography
import TuttiSystemIO

/// The controllers that have paired with one speaker, in memory and on disk.
///
/// Safe from any thread. Changes block until the file is written.
package final class PairedControllers: Sendable {
    /// Most controllers of one speaker: enough for the phones and computers of a household, and few enough
    /// for one response to `/pair-list`.
    package static let limit = 16

    private let peers: Mutex<[PairedPeer]>
    /// `nil` if the controllers are kept in memory only.
    private let file: PrivateFile?
    private let report: @Sendable (String) -> Void

    init(_ peers: [PairedPeer], file: PrivateFile?, report: @escaping @Sendable (String) -> Void) {
        self.peers = Mutex(peers)
        self.file = file
        self.report = report
    }

    /// All controllers, oldest first.
    package var all: [PairedPeer] { peers.withLock { $0 } }

    /// Returns the controller with this identifier.
    package subscript(identifier: [UInt8]) -> PairedPeer? {
        peers.withLock { $0.first { $0.identifier == identifier } }
    }

    /// Adds a controller, or replaces the one with its identifier.
    ///
    /// If the file cannot be written, the store reports that to the user and keeps the controller until the
    /// process ends.
    /// - Parameter replacingOldest: Whether a full store evicts its oldest controller.
    /// - Throws: ``PairingError/tooManyPeers`` if the store is full and `replacingOldest` is false.
    package func add(_ peer: PairedPeer, replacingOldest: Bool = false) throws(PairingError) {
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

    /// Removes the controller with this identifier.
    ///
    /// - Returns: Whether the controller was known.
    @discardableResult package func remove(_ identifier: [UInt8]) -> Bool {
        peers.withLock { peers in
            let count = peers.count
            peers.removeAll { $0.identifier == identifier }
            if peers.count != count { save(peers) }
            return peers.count != count
        }
    }

    /// Writes the file. Callers hold the lock, so that writes keep the order of the changes.
    private func save(_ peers: [PairedPeer]) {
        guard let file else { return }
        do {
            try file.write(StableJSON.encode(ControllersFile(peers)))
        } catch {
            report("paired controllers cannot be stored: \(error)")
        }
    }
}

/// The stored form of the paired controllers.
struct ControllersFile: Codable {
    struct Entry: Codable {
        /// UTF-8 by the standard; stored as hexadecimal because nothing verifies that.
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

    /// - Returns: `nil` if an entry is invalid or there are too many.
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
