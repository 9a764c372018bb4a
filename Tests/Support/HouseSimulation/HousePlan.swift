import Foundation
import TuttiDeviceManners
import TuttiVirtualTime

/// The files that houses play, deleted with this object.
package final class Song: Sendable {
    package let path: String
    /// The song of a guest; its frames count from ``guestFrame`` on.
    let guestPath: String
    static let guestFrame = 5_000_000
    package let seconds: Double
    /// A short song, which edits of the queue insert. Its frames count on behind the last one of the song.
    let shortPath: String
    let shortSeconds: Double
    /// The frames of the song, and those of the short one.
    package let items: [Range<Double>]
    private let folder: String

    package init(seconds: Double = 60) throws {
        self.seconds = seconds
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent(
                "tutti-houses-\(getpid())-\(UUID().uuidString)"
            ).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        path = folder + "/song.wav"
        guestPath = folder + "/guest.wav"
        shortPath = folder + "/short.wav"
        shortSeconds = min(10, seconds / 2)
        let count = Int(seconds * Double(StampedSound.rate))
        let shortCount = Int(shortSeconds * Double(StampedSound.rate))
        precondition(count + shortCount <= Self.guestFrame)
        items = [0..<Double(count), Double(count)..<Double(count + shortCount)]
        try StampedSound.write(count, to: path)
        try StampedSound.write(shortCount, from: count, to: shortPath)
        try StampedSound.write(40 * StampedSound.rate, from: Self.guestFrame, to: guestPath)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }  // leftovers are in the temporary folder
}

/// A house and what happens to it, which follow from a seed, or from a file.
package struct HousePlan: Codable, Sendable {
    /// Gives the clocks, the network's chance and the order of everything.
    package var seed: UInt64
    package var kinds: [RoomKind]
    /// The devices for which the rooms' speakers stand in, by room; `nil` if all are our own.
    package var manners: [RoomManners?]?
    package var script: HouseScript
    /// Whether sound is compressed on its way; `nil` as `true`, in older files. Otherwise packets have the length of their samples,
    /// and a house needs two fifths of the time.
    package var isCompressed: Bool?
    /// Seconds after the last step or fault in which everything must be well again; `nil` for those of a house with faults.
    package var recovery: Double?

    /// - Parameters:
    ///   - kinds: The kind of each room, without guests, losses of power, stalls, slow links, sliders and edits of the queue; `nil`
    ///     for three rooms whose kinds follow from the seed, and for some seeds all of these.
    ///   - manners: The devices of rooms whose kinds are given.
    ///   - seconds: The length of the script.
    ///   - isCompressed: Whether sound is compressed on its way.
    package init(
        seed: UInt64, kinds: [RoomKind]? = nil, manners: [RoomManners?]? = nil, seconds: Double = 60,
        isCompressed: Bool = false
    ) {
        (self.seed, self.isCompressed) = (seed, isCompressed)
        self.kinds = kinds ?? RoomKind.drawn(from: seed, rooms: 3)
        self.manners = kinds == nil ? RoomManners.drawn(from: seed, &self.kinds) : manners
        script = .drawn(from: seed, seconds: seconds, rooms: self.kinds.count, songSeconds: 60)
        // Rates are drawn for compressed sound.
        if !isCompressed { script.widenLinks(by: 3) }
        guard kinds == nil else { return }
        script.drawGuests(from: seed, seconds: seconds, rooms: self.kinds.count)
        script.drawRestarts(from: seed, seconds: seconds, rooms: self.kinds.count)
        script.drawStalls(from: seed, seconds: seconds, rooms: self.kinds.count)
        script.drawSlowLink(from: seed, seconds: seconds, kinds: self.kinds, isCompressed: isCompressed)
        script.drawEdits(from: seed, seconds: seconds)
        script.drawSliders(from: seed, seconds: seconds, songSeconds: 60)
    }

    /// The kinds of the rooms, and their devices, for a reader.
    package var rooms: String {
        kinds.indices.map { room in
            let device = manners(of: room).map { " (\($0))" } ?? ""
            return kinds[room].rawValue + device
        }.joined(separator: ", ")
    }

    private func manners(of room: Int) -> RoomManners? {
        manners.flatMap { $0.indices.contains(room) ? $0[room] : nil }
    }

    package init(file: String) throws {
        self = try JSONDecoder().decode(HousePlan.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    }

    package func write(to file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(fileURLWithPath: file))
    }

    /// The record of a house.
    package struct Record: Sendable {
        /// The sound of a room.
        package struct Room: Sendable {
            package let name: String
            package let runs: [HeardRun]
            /// How often the manners of its device were met.
            package let met: [Manner: Int]
        }

        package var outcome: HouseOutcome
        package var rooms: [Room] = []
        /// The events of the sender, the runs of the rooms, and the errors of their clocks.
        package var log: [String] = []
    }

    /// Lets everything happen in a new house.
    package func outcome(_ song: Song) -> HouseOutcome { record(song, isLogged: false).outcome }

    /// Lets everything happen in a new house, and tells what the sender was told and the rooms played.
    package func record(_ song: Song, isLogged: Bool = true) -> Record {
        do {
            var (record, world, network) = try live(song, isLogged: isLogged)
            // The house is gone by now; its parts may have had last words to say.
            world.run(until: world.time + 1_000_000_000)
            // The network stays, because its machines keep each other; who listens need not.
            (network.onBytes, network.onDatagram) = (nil, nil)
            let left = network.openSockets
            if !left.isEmpty {
                record.outcome.complaints.append("still open: \(left.joined(separator: ", "))")
            }
            if world.waitingEvents > 0 {
                let seconds = ((world.nextEventTime ?? 0) - world.time) / 1_000_000_000
                record.outcome.complaints.append(
                    "\(world.waitingEvents) events still wait, the first for \(seconds) s")
            }
            return record
        } catch {
            return Record(outcome: HouseOutcome(complaints: ["the house cannot begin: \(error)"]))
        }
    }

    private func live(_ song: Song, isLogged: Bool) throws -> (Record, VirtualWorld, VirtualNetwork) {
        let rooms = kinds.indices.map { VirtualHouse.Room(kind: kinds[$0], manners: manners(of: $0)) }
        let house = try VirtualHouse(
            seed: seed, rooms: rooms, hasGuest: script.hasGuest, isCompressed: isCompressed ?? true)
        let clocks = isLogged ? ClockRecord(of: house) : nil
        var record = Record(outcome: house.play(script, song, recovery: recovery))
        if isLogged {
            record.rooms = house.speakers.map { Record.Room(name: $0.name, runs: $0.runs, met: $0.met) }
            let heard = record.rooms.map { room in
                "\(room.name) played " + room.runs.map(\.description).joined(separator: ", ")
            }
            record.log = house.sender.log.lines + heard + house.distances + (clocks?.lines ?? [])
            record.log += house.speakers.filter { !$0.met.isEmpty }.map { speaker in
                let met = speaker.met.sorted { $0.key.rawValue < $1.key.rawValue }
                return "\(speaker.name)'s manners: "
                    + met.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
            }
        }
        house.end()
        return (record, house.world, house.network)
    }

    /// Leaves out all that is not needed for a failure.
    package func shortened(_ song: Song) -> HousePlan {
        var least = self
        var size = max(1, least.script.steps.count / 2)
        while true {
            var start = 0
            while start < least.script.steps.count {
                var shorter = least
                shorter.script.steps.removeSubrange(start..<min(start + size, shorter.script.steps.count))
                if shorter.outcome(song).complaints.isEmpty { start += size } else { least = shorter }
            }
            if size == 1 { return least }
            size = max(1, size / 2)
        }
    }
}

/// The errors of the rooms' clocks, twice a second.
private final class ClockRecord: @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    private var errors: [[String]]
    private let names: [String]

    init(of house: VirtualHouse) {
        names = house.speakers.map(\.name)
        errors = Array(repeating: [], count: names.count)
        house.each(second: 0.5) { [unowned self, unowned house] in
            for (index, speaker) in house.speakers.enumerated() {
                guard let error = speaker.clockError(of: house.sender) else { continue }
                errors[index].append(
                    "\((house.seconds * 10).rounded() / 10): \(Int(error.offset)) (\(Int(error.rate)))")
            }
        }
    }

    var lines: [String] {
        zip(names, errors).map { "\($0)'s clock, µs (ppm) at seconds: \($1.joined(separator: ", "))" }
    }
}

extension HeardRun: CustomStringConvertible {
    /// The frames and the seconds at which they were heard.
    package var description: String {
        func seconds(_ time: Int64) -> Double { Double(time / 1_000_000) / 1000 }
        return "\(Int(first.frame))–\(Int(last.frame)) at \(seconds(first.time))–\(seconds(last.time)) s"
    }
}
