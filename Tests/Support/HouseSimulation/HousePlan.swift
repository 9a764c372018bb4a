import Foundation
import TuttiVirtualTime

/// The file that houses play, deleted with this object.
package final class Song: Sendable {
    package let path: String
    package let seconds: Double
    private let folder: String

    package init(seconds: Double = 60) throws {
        self.seconds = seconds
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent(
                "tutti-houses-\(getpid())-\(UUID().uuidString)"
            ).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        path = folder + "/song.wav"
        try StampedSound.write(Int(seconds * Double(StampedSound.rate)), to: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }  // leftovers are in the temporary folder
}

/// A house and what happens to it, which follow from a seed, or from a file.
package struct HousePlan: Codable, Sendable {
    /// Gives the clocks, the network's chance and the order of everything.
    package var seed: UInt64
    package var kinds: [RoomKind]
    package var script: HouseScript

    /// Seconds of a script.
    private static let length = 60.0

    /// - Parameters:
    ///   - kinds: The kind of each room; `nil` for three rooms whose kinds follow from the seed.
    package init(seed: UInt64, kinds: [RoomKind]? = nil) {
        self.seed = seed
        self.kinds = kinds ?? RoomKind.drawn(from: seed, rooms: 3)
        script = .drawn(from: seed, seconds: Self.length, rooms: self.kinds.count, songSeconds: 60)
    }

    package init(file: String) throws {
        self = try JSONDecoder().decode(HousePlan.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    }

    package func write(to file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(fileURLWithPath: file))
    }

    /// Lets everything happen in a new house.
    package func outcome(_ song: Song) -> HouseOutcome { course(song, isLogged: false).outcome }

    /// The outcome, and what the sender was told and the rooms played.
    package func course(_ song: Song, isLogged: Bool = true) -> (outcome: HouseOutcome, log: [String]) {
        do {
            var course = try live(song, isLogged: isLogged)
            // The house is gone by now.
            let left = course.network.openSockets
            if !left.isEmpty {
                course.outcome.complaints.append("still open: \(left.joined(separator: ", "))")
            }
            if course.world.waitingEvents > 0 {
                course.outcome.complaints.append("\(course.world.waitingEvents) events still wait")
            }
            return (course.outcome, course.log)
        } catch {
            return (HouseOutcome(complaints: ["the house cannot begin: \(error)"]), [])
        }
    }

    private struct Course {
        var outcome: HouseOutcome
        var log: [String] = []
        let world: VirtualWorld
        let network: VirtualNetwork
    }

    private func live(_ song: Song, isLogged: Bool) throws -> Course {
        let house = try VirtualHouse(seed: seed, kinds: kinds)
        let clocks = isLogged ? ClockRecord(of: house) : nil
        let outcome = house.play(script, song.path, songSeconds: song.seconds)
        var course = Course(outcome: outcome, world: house.world, network: house.network)
        if isLogged {
            let heard = house.speakers.map { speaker in
                "\(speaker.name) played " + speaker.runs.map(\.description).joined(separator: ", ")
            }
            course.log = house.sender.log.lines + heard + house.distances + (clocks?.lines ?? [])
        }
        house.end()
        return course
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
