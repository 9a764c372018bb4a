import AirPlayReceiver
import AirPlaySender
import CoreMedia
import Playback
import TuttiMediaTime
import TuttiVirtualTime

/// A house in which all clocks and loudspeakers agree and the network is steady, so that its rooms play frame for frame; a test
/// commands its player step by step.
package final class ExactHouse: @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    private let house: VirtualHouse
    private let album: Album
    private let format: SessionChoice.RealtimeFormat?

    /// The sound of a room.
    package struct Room: Sendable {
        package let pieces: [ExactPiece]
        /// Audible frames that are none of the album's, such as the fade of sound that stops midway.
        package let foreignFrames: Int
    }

    /// The sound of all rooms, and the result of the commands.
    package struct Record<Value: Sendable>: Sendable {
        package let rooms: [Room]
        package let value: Value
        /// The events of the speakers and the outputs.
        package let log: [String]
    }

    /// Gives commands in a new house whose rooms are chosen, and returns what each room played.
    ///
    /// Call on one thread, which is busy meanwhile.
    ///
    /// - Parameter format: The format of realtime streams; `nil` for the usual one.
    package static func live<Value: Sendable>(
        _ kinds: [RoomKind], _ album: Album, seed: UInt64 = 7, format: SessionChoice.RealtimeFormat? = nil,
        _ commands: (ExactHouse) -> Value
    ) throws -> Record<Value> {
        let (record, world) = try happen(kinds, album, seed, format, commands)
        // The house is gone by now; its parts may have had last words to say.
        world.run(until: world.time + 1_000_000_000)
        return record
    }

    private static func happen<Value: Sendable>(
        _ kinds: [RoomKind], _ album: Album, _ seed: UInt64, _ format: SessionChoice.RealtimeFormat?,
        _ commands: (ExactHouse) -> Value
    ) throws -> (Record<Value>, VirtualWorld) {
        let exact = try ExactHouse(kinds, album, seed: seed, format: format)
        exact.choose()
        let value = commands(exact)
        let house = exact.house
        let record = Record(
            rooms: house.speakers.map { Room(pieces: $0.exactPieces, foreignFrames: $0.foreignFrames) },
            value: value, log: house.sender.log.lines)
        house.end()
        return (record, house.world)
    }

    private init(
        _ kinds: [RoomKind], _ album: Album, seed: UInt64, format: SessionChoice.RealtimeFormat?
    ) throws {
        (self.album, self.format) = (album, format)
        house = try VirtualHouse(
            seed: seed, rooms: kinds.map { VirtualHouse.Room(kind: $0) }, isCompressed: true, isEven: true)
    }

    // MARK: Time

    /// True time in nanoseconds.
    package var time: Int64 { house.world.time }

    /// Lets seconds pass.
    package func pass(_ seconds: Double) { house.run(seconds: seconds) }

    /// Lets at most `limit` seconds pass until the player is at a place.
    package func pass(until place: Double, limit: Double = 10) {
        let end = time + Int64(limit * 1e9)
        while position < place, time < end { pass(0.01) }
    }

    /// Calls the player at this time, as a program does.
    private func call<Result>(_ body: (PlayerDriver) -> Result) -> Result {
        var result: Result?
        house.world.run(until: time) { result = body(house.sender.player) }
        guard let result else { preconditionFailure("a world runs what it is given") }
        return result
    }

    // MARK: Rooms

    /// Chooses all rooms, and lets two seconds pass.
    package func choose() {
        let targets = house.speakers.map { speaker in
            var target = speaker.target
            target.override.format = format
            return target
        }
        house.run(seconds: 2) { [house] in await house.sender.choose(targets) }
    }

    /// Leaves all rooms, as a program does that ends, and lets a second pass.
    package func leave() { house.run(seconds: 1) { [house] in await house.sender.catalogue.deselect() } }

    /// Sets the volume of all rooms, in percent.
    package func setVolume(_ percent: Double) { call { _ in house.sender.catalogue.setVolume(percent) } }

    /// The decibels that a room has been told, −144 for silence.
    package func decibels(of room: Int) -> Double { house.speakers[room].status.volume.decibels }

    /// The bytes that a second of the sound takes that a room holds.
    package func bytesPerSecond(in room: Int) -> Double {
        guard let stream = house.speakers[room].status.stream else { return 0 }
        return Double(stream.heldBytes) / stream.bufferedSeconds
    }

    /// Seconds of sound that a room holds.
    package func held(by room: Int) -> Double { house.speakers[room].status.stream?.bufferedSeconds ?? 0 }

    // MARK: Player

    /// Seconds within the current item.
    package var position: Double { house.sender.player.currentTime.seconds }

    /// Whether sound runs.
    package var isPlaying: Bool { house.sender.player.machine.control == .playing }

    /// Adds a file of the album, at the end of the queue or behind an item.
    @discardableResult
    package func add(_ track: Int, after place: PlayerItem? = nil) -> PlayerItem {
        call { _ in house.sender.add(album.paths[track], after: place) }
    }

    package func play() { call { $0.setRate(1) } }
    package func pause() { call { $0.setRate(0) } }
    package func skip() { call { $0.advanceToNextItem() } }
    package func remove(_ item: PlayerItem) { call { $0.remove(item) } }

    /// Moves an item behind another one.
    package func move(_ item: PlayerItem, after place: PlayerItem) {
        call { player in
            player.remove(item)
            player.insert(item, after: place)
        }
    }

    package func seek(to seconds: Double) {
        call { $0.seek(to: CMTime(seconds: seconds, preferredTimescale: 44_100)) { _ in } }
    }

    /// Starts so that a place of the item is heard in some seconds, and returns that true time in nanoseconds.
    package func start(at place: Double, in seconds: Double) -> Int64 {
        call { player in
            player.setRate(
                1, time: CMTime(seconds: place, preferredTimescale: 44_100),
                host: player.now.advanced(by: .seconds(seconds)))
        }
        return time + Int64(seconds * 1e9)
    }

    package func setWaits(_ waits: Bool) { call { $0.setAutomaticallyWaits(waits) } }
    package func setEndAction(_ action: PlayerEngine.EndAction) { call { $0.endAction = action } }
}
