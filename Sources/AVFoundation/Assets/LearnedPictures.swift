import Synchronization

/// Pictures that came with what players found about their assets, and nobody has asked for: the newest, up to so many
/// bytes. Of an asset that has to give its own up everything is forgotten, and fetched again when it is asked for.
///
/// Any thread.
final class LearnedPictures: Sendable {
    static let shared = LearnedPictures(byteLimit: 32 << 20)

    private struct Entry {
        weak var asset: AVAsset?
        let byteCount: Int
    }

    private struct State {
        /// The oldest first.
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

    /// What an entry counts at least: there are no more than some thousands.
    private static let leastCount = 8 << 10
}
