import CoreMedia
import Synchronization

@testable import Playback

/// A notification of a player or an item, with its time.
struct Note: Equatable, Sendable, CustomStringConvertible {
    var at: Double
    /// `player`, or the item's name.
    var who: String
    var what: String
    var value: String

    var description: String { "\((at * 1000).rounded() / 1000) \(who) \(what) \(value)" }
}

/// A log of all notifications of a player and its items.
final class NoteBook: Sendable {
    private let world: VirtualWorld
    private let notes = Mutex<[Note]>([])
    private let names = Mutex<[ObjectIdentifier: String]>([:])

    init(_ world: VirtualWorld) { self.world = world }

    var all: [Note] { notes.withLock { $0 } }

    /// Returns the notes after the first `count`.
    func since(_ count: Int) -> [Note] { notes.withLock { Array($0.dropFirst(count)) } }

    func forgetAll() { notes.withLock { $0.removeAll(keepingCapacity: true) } }

    private func write(_ who: String, _ what: String, _ value: String) {
        let note = Note(at: world.seconds, who: who, what: what, value: value)
        notes.withLock { $0.append(note) }
    }

    private func check(_ told: [String], _ order: [String]) {
        if !Contract.isInOrder(told, order) { write("player", "order", told.joined(separator: ", ")) }
    }

    // MARK: The player

    func follow(_ player: any SimulatedPlayer) {
        var events = PlayerDriver.Events()
        events.change = { [weak self, weak player] properties, change in
            change()
            guard let self, let player else { return }
            self.check(properties.map(\.rawValue), Contract.playerOrder)
            for property in properties { self.note(property, of: player) }
        }
        events.editWasLate = { [weak self] in self?.write("player", "editWasLate", "") }
        player.setEvents(events)
    }

    private func note(_ property: PlayerEngine.Property, of player: any SimulatedPlayer) {
        let machine = player.machine
        switch property {
        case .currentItem: write("player", "currentItem", player.currentItem.map(name) ?? "none")
        case .rate: write("player", "rate", "\(machine.rate)")
        case .timeControlStatus: write("player", "control", "\(machine.control)")
        case .reasonForWaitingToPlay: write("player", "reason", machine.reason.map { "\($0)" } ?? "none")
        case .status: write("player", "status", "\(player.status)")
        case .items, .error: break
        }
    }

    func name(_ item: PlayerItem) -> String { names.withLock { $0[ObjectIdentifier(item)] ?? "?" } }

    // MARK: Items

    func follow(_ item: PlayerItem, as name: String) {
        names.withLock { $0[ObjectIdentifier(item)] = name }
        var events = PlayerItem.Events()
        events.change = { [weak self, weak item] properties, change in
            change()
            guard let self, let item else { return }
            self.check(properties.map(\.rawValue), Contract.itemOrder)
            for property in properties { self.note(property, item.state, name) }
        }
        events.post = { [weak self] notice in
            let text =
                switch notice {
                case .playedToEnd: "ended"
                case .failedToPlayToEnd: "failed"
                case .stalled: "stalled"
                case .timeJumped: "jumped"
                case .transferBegan, .transferFailed: "transfer"
                }
            self?.write(name, "notice", text)
        }
        item.setEvents(events)
    }

    func forget(_ item: PlayerItem) { names.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(item)) } }

    private func note(_ property: PlayerItem.Property, _ state: PlayerItem.State, _ name: String) {
        switch property {
        case .duration: write(name, "duration", "\(state.duration.seconds)")
        case .status: write(name, "status", "\(state.status)")
        case .isPlaybackBufferEmpty: write(name, "empty", "\(state.levels.isEmpty)")
        case .isPlaybackBufferFull: write(name, "full", "\(state.levels.isFull)")
        case .isPlaybackLikelyToKeepUp: write(name, "likely", "\(state.levels.isLikelyToKeepUp)")
        case .loadedTimeRanges: write(name, "loaded", "\(state.loaded?.end.seconds ?? -1)")
        case .tracks, .error, .seekableTimeRanges, .timedMetadata, .presentationSize: break
        }
    }
}
