import AirPlaySender
import CoreMedia
import Playback
import Synchronization
import TuttiMediaTime
import TuttiSystemIO
import TuttiVirtualTime
import TuttiWeb

/// A program with a queue player on a machine of its own.
package final class VirtualSender: @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    package let machine: VirtualMachine
    package let catalogue: RouteCatalogue
    package let player: PlayerDriver
    /// The events of the speakers and the outputs.
    package let log = EventLog()
    private let isCompressed: Bool

    /// - Parameter isCompressed: Whether sound is compressed on its way.
    init(on machine: VirtualMachine, isCompressed: Bool) {
        (self.machine, self.isCompressed) = (machine, isCompressed)
        catalogue = RouteCatalogue(machine: machine)
        player = PlayerDriver(renderQueue: catalogue.makeQueue(), endAction: .advance, machine: machine)
        catalogue.setLongForm(true)
        let (log, world) = (log, machine.world)
        Task { [catalogue] in
            for await event in catalogue.events { log.add("\(event)", at: world.time) }
        }
    }

    /// Chooses speakers.
    package func choose(_ speakers: [VirtualSpeaker]) async { await choose(speakers.map(\.target)) }

    /// Chooses speakers.
    package func choose(_ targets: [SpeakerTarget]) async {
        var options = RouteCatalogue.Options()
        options.volume = 100
        options.isCompressed = isCompressed
        await catalogue.setSpeakers(targets, options: options)
    }

    /// Adds a file to the queue, at its end or behind an item.
    package func add(_ path: String, after place: PlayerItem? = nil) -> PlayerItem {
        let item = PlayerItem(path: path, engine: .shared, machine: machine)
        _ = player.insert(item, after: place)
        return item
    }
}

/// Events with true times in nanoseconds.
package final class EventLog: Sendable {
    private let events = Mutex<[(time: Int64, text: String)]>([])

    func add(_ text: String, at time: Int64) { events.withLock { $0.append((time, text)) } }

    package var lines: [String] {
        events.withLock { $0.map { "\(Double($0.time / 1_000_000) / 1000) \($0.text)" } }
    }
}
