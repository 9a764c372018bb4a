import AirPlaySender
import CoreMedia
import Foundation
import Playback
import Synchronization
import TuttiMediaTime
import TuttiSeeds
import TuttiSystemIO
import TuttiVirtualTime

/// A house in virtual time: a sender and speakers, each on a machine with its own clock.
package final class VirtualHouse: @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    package let world: VirtualWorld
    package let network: VirtualNetwork
    package let sender: VirtualSender
    /// A second sender, if one comes.
    let guest: VirtualSender?
    package let speakers: [VirtualSpeaker]

    /// The way of a room's speaker.
    package struct Room: Sendable {
        package var kind = RoomKind.buffered
        package var manners: RoomManners?

        package init(kind: RoomKind = .buffered, manners: RoomManners? = nil) {
            (self.kind, self.manners) = (kind, manners)
        }
    }

    private let nonces: NonceWatch
    private var isOver = false

    private static let second: Int64 = 1_000_000_000
    /// One house in so many has kernels that repeat lost packets after ever longer pauses, up to two minutes. None with a second
    /// sender has: it would have a room until its last words were repeated.
    private static let oldKernels: UInt64 = 3
    /// In one house in so many the rates of crystals wander.
    private static let wanderingHouses = 2

    /// - Parameters:
    ///   - seed: Gives the clocks, and everything else that is left to chance.
    ///   - rooms: The way of each room.
    ///   - hasGuest: Whether there is a second sender.
    ///   - isCompressed: Whether sound is compressed on its way.
    ///   - isEven: Whether all crystals agree and the network is steady, so that rooms play frame for frame.
    package init(
        seed: UInt64, rooms: [Room] = [Room(), Room(), Room()], hasGuest: Bool = false,
        isCompressed: Bool = false, isEven: Bool = false
    ) throws {
        let world = VirtualWorld(seed: seed)
        let network = VirtualNetwork(in: world)
        (self.world, self.network) = (world, network)
        var random = SeededGenerator(seed: seed &+ 0x5eed)
        let unevenness: Int64 = isEven ? 0 : 1
        var wander = SeededGenerator(seed: seed &* 0x1657_67B1 &+ 41)
        let wanders = !isEven && Int.random(in: 0..<Self.wanderingHouses, using: &wander) == 0
        /// A crystal with a rate in parts per thousand million.
        func crystal(_ rate: Int64) -> CrystalClock {
            wanders ? CrystalClock.wandering(from: rate, using: &wander) : CrystalClock(rate: rate)
        }
        func machine(_ name: String, _ number: UInt8) -> VirtualMachine {
            let machine = VirtualMachine(
                name, in: world, on: network, at: IPAddress(10, 0, 0, number),
                crystal: crystal(unevenness * Int64.random(in: -50_000...50_000, using: &random)),
                origin: Int64.random(in: 1...5_000, using: &random) * Self.second)
            machine.limitsRetransmissions = hasGuest || !seed.isMultiple(of: Self.oldKernels)
            if isEven { network.change(machine) { ($0.jitter, $0.rate) = (1_000, 1_000_000_000_000) } }
            return machine
        }
        var made: (VirtualSender, VirtualSender?, [VirtualSpeaker])?
        var failure: (any Error)?
        let names = ["Kitchen", "Study", "Hall", "Attic", "Cellar"]
        world.run(until: Self.second) {
            do {
                func makeSender(_ name: String, _ number: UInt8) -> VirtualSender {
                    let machine = machine(name, number)
                    return machine.enter { VirtualSender(on: machine, isCompressed: isCompressed) }
                }
                let sender = makeSender("Desk", 1)
                let speakers = try zip(names, rooms).enumerated().map { index, place in
                    let (name, room) = place
                    let machine = machine(name, UInt8(index + 10))
                    let ppm = Double(unevenness) * Double.random(in: -50...50, using: &random)
                    return try VirtualSpeaker(
                        name, room, on: machine,
                        bufferBytes: room.kind.bufferBytes(isCompressed: isCompressed),
                        device: LoudspeakerWithEar.Crystal(ppm: ppm, wander: crystal(0)))
                }
                made = (sender, hasGuest ? makeSender("Phone", 2) : nil, speakers)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard let made else { throw CancellationError() }
        (sender, guest, speakers) = made
        let plain = speakers.filter { $0.kind == .airPlay1 }.map(\.machine.address)
        nonces = NonceWatch(plain: Set(plain))
        network.onBytes = { [nonces] in nonces.look(at: $0, on: $1, from: $2, to: $3) }
        network.onDatagram = { [nonces] in nonces.look(at: $0, from: $1, to: $2) }
    }

    /// Descriptions of nonces that were used twice.
    var nonceComplaints: [String] { nonces.complaints }

    /// True time in seconds.
    package var seconds: Double { Double(world.time) / 1e9 }

    /// Begins `work` and lets time pass.
    package func run(seconds: Double, _ work: @escaping @Sendable () async -> Void = {}) {
        world.run(until: world.time + Int64(seconds * 1e9)) { Task { await work() } }
    }

    /// Ends everything, so that nothing of the house is left once it is released.
    func end() {
        isOver = true
        run(seconds: 5) { [sender, guest, speakers] in
            for sender in [sender, guest].compactMap({ $0 }) {
                sender.player.removeAllItems()
                await sender.catalogue.deselect()
            }
            for speaker in speakers { await speaker.close() }
        }
        // Time for all that still waits for a time, or for a peer that is gone.
        world.run(until: world.time + 1_000 * Self.second)
    }

    /// Calls `body` again and again.
    package func each(second interval: Double, _ body: @escaping () -> Void) {
        world.schedule(after: Int64(interval * 1e9)) { [self] in
            guard !isOver else { return }
            body()
            each(second: interval, body)
        }
    }
}
