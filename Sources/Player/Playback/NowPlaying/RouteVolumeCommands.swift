import Synchronization

/// The receiver of volume commands, which applies them to the playing outputs.
final class RouteVolumeCommands: RemoteCommandReceiver {
    /// Percent per press: sixteen presses from silence to full volume.
    static let step = 6.25

    private let routes: @Sendable () -> (any RouteChoosing)?
    /// Volumes of the outputs before they were muted.
    private let muted = Mutex<[RouteOption.ID: Double]>([:])

    /// - Parameter routes: The outputs; `nil` while there are none.
    init(routes: @escaping @Sendable () -> (any RouteChoosing)?) { self.routes = routes }

    func perform(
        _ command: RemoteCommand, from origin: RemoteCommandOrigin,
        completion: @escaping @Sendable (RemoteCommandOutcome) -> Void
    ) {
        guard [.volumeUp, .volumeDown, .setVolume, .toggleMute].contains(command.kind) else {
            return completion(.unsupported)
        }
        guard let routes = routes() else { return completion(.deviceNotFound) }
        let playing = routes.options.filter(\.isSelected)
        let concerned = playing.filter { origin.route == nil || $0.id == origin.route }
        guard !concerned.isEmpty else { return completion(.deviceNotFound) }
        let changes = muted.withLock { muted in
            // Forgets outputs that no longer play.
            muted = muted.filter { entry in playing.contains { $0.id == entry.key } }
            return Self.changes(for: command, of: concerned, muted: &muted)
        }
        for (id, percent) in changes { routes.setVolume(percent, of: id) }
        completion(changes.isEmpty ? .failed : .success)
    }

    /// Returns the new volume of each output. Skips an output if a relative change needs its unknown volume.
    private static func changes(
        for command: RemoteCommand, of options: [RouteOption], muted: inout [RouteOption.ID: Double]
    ) -> [(RouteOption.ID, Double)] {
        options.compactMap { option in
            switch command {
            case .setVolume(let percent) where percent.isFinite:
                muted[option.id] = nil
                return (option.id, max(0, min(percent, 100)))
            case .volumeUp:
                return option.volume.map { (option.id, min(100, $0 + step)) }
            case .volumeDown:
                return option.volume.map { (option.id, max(0, $0 - step)) }
            case .toggleMute:
                guard let volume = option.volume else { return nil }
                // Unmutes to one step if the earlier volume is unknown.
                if volume == 0 { return (option.id, muted.removeValue(forKey: option.id) ?? step) }
                muted[option.id] = volume
                return (option.id, 0)
            default:
                return nil
            }
        }
    }
}
