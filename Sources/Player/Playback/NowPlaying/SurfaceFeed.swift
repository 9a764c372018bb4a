import Synchronization
import TuttiSystemIO

/// A bounded queue of notifications to one surface, delivered in order on a serial queue.
final class SurfaceFeed: Sendable {
    enum Update: Sendable {
        case snapshot(NowPlayingSnapshot)
        case commands(RemoteCommandSet)

        var isSnapshot: Bool { if case .snapshot = self { true } else { false } }
    }

    private struct State {
        var waiting: [Update] = []
        var isDelivering = false
        var isOver = false
    }

    private let state = Mutex(State())
    private let queue: SerialQueue
    let surface: any NowPlayingSurface

    init(_ surface: any NowPlayingSurface, machine: any Machine) {
        self.surface = surface
        queue = machine.makeQueue("tutti.surface", qos: .userInitiated)
    }

    /// Enqueues a notification. Never blocks, and calls no other object.
    func tell(_ update: Update) {
        let isIdle = state.withLock { state in
            guard !state.isOver else { return false }
            state.waiting.append(update)
            if state.waiting.count > NowPlayingHub.feedLimit { Self.dropOldest(&state.waiting) }
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if isIdle { queue.async { [self] in deliver() } }
    }

    /// Ends delivery. No notification begins afterwards.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.waiting = []
        }
    }

    /// Drops the oldest notification that a newer one of its kind supersedes.
    private static func dropOldest(_ waiting: inout [Update]) {
        let isVoid = { (index: Int) in
            waiting[(index + 1)...].contains { $0.isSnapshot == waiting[index].isSnapshot }
        }
        if let index = waiting.indices.first(where: isVoid) { waiting.remove(at: index) }
    }

    private func deliver() {
        while let update = next() {
            switch update {
            case .snapshot(let snapshot): surface.show(snapshot)
            case .commands(let commands): surface.enable(commands)
            }
        }
    }

    private func next() -> Update? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isDelivering = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
