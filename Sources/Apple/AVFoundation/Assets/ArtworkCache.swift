import Synchronization

/// A byte-limited list of assets whose artwork came from a player. Evicts the oldest first.
///
/// An evicted asset that no caller has requested forgets all its contents; the next request loads them
/// again. Any thread.
final class ArtworkCache: Sendable {
    static let shared = ArtworkCache(byteLimit: 32 << 20)

    private struct Entry {
        weak var asset: AVAsset?
        let byteCount: Int
    }

    private struct State {
        /// Entries, oldest first.
        var entries: [Entry] = []
        var byteCount = 0
    }

    private let byteLimit: Int
    private let state = Mutex(State())

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    func add(_ byteCount: Int, of asset: AVAsset) {
        let entry = Entry(asset: asset, byteCount: max(byteCount, Self.leastCount))
        let gone = state.withLock { state in
            state.entries.append(entry)
            state.byteCount += entry.byteCount
            var gone: [Entry] = []
            while state.byteCount > byteLimit, state.entries.count > 1 {
                gone.append(state.entries.removeFirst())
                state.byteCount -= gone[gone.count - 1].byteCount
            }
            return gone
        }
        for entry in gone { entry.asset?.loading.forget() }
    }

    /// The minimum size of an entry in bytes, which limits the list to some thousands of entries.
    private static let leastCount = 8 << 10
}
