import AirPlayMessages
import AirPlayReceiver
import AirPlaySender
import Synchronization
import TuttiClockService
import TuttiDeviceManners
import TuttiMediaTime
import TuttiSystemIO
import TuttiVirtualTime

/// One of our speakers on a machine of its own, which may stand in for another maker's device.
package final class VirtualSpeaker: @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    package var name: String { design.name }
    package var kind: RoomKind { design.room.kind }
    /// The device for which the speaker stands in; `nil` for none.
    var manners: RoomManners? { design.room.manners }
    package var machine: VirtualMachine { design.machine }
    private let design: Design
    /// The ears of each time that the speaker was on.
    private var ears: [LoudspeakerWithEar] = []
    private var parts: Parts
    private(set) var isOn = true

    /// The things that stay when the power is lost.
    private struct Design {
        let name: String
        let room: VirtualHouse.Room
        let machine: VirtualMachine
        let bufferBytes: Int
        let device: LoudspeakerWithEar.Crystal
        let store: SpeakerStore
        let family: Family?
        let meetings = Meetings()

        var port: UInt16 { family?.port ?? 7000 }

        func configuration() -> SpeakerConfiguration {
            let advertisement = SpeakerAdvertisement(name: name, identity: store.identity)
            var configuration = SpeakerConfiguration(name: name)
            configuration.port = port
            configuration.model = advertisement.model
            configuration.manufacturer = advertisement.manufacturer
            configuration.features = advertisement.features
            configuration.initialVolume = Volume(decibels: room.manners?.beginsQuietly == true ? -15 : 0)
            configuration.txtRecords = { (airPlay: advertisement.airPlayData, raop: []) }
            return configuration
        }

        /// Returns the manners for the parts of one time that the speaker is on; `nil` for our own speaker.
        func manners(_ configuration: inout SpeakerConfiguration) throws -> SpeakerManners? {
            guard let family else { return nil }
            let manners = try SpeakerManners(of: family, on: machine) { [meetings] manner, _ in
                meetings.note(manner)
            }
            manners.apply(
                to: &configuration, FamilyAdvertisement(family, name: name, identity: store.identity))
            return manners
        }
    }

    /// Counts how often each manner was met.
    private final class Meetings: Sendable {
        let counts = Mutex<[Manner: Int]>([:])

        func note(_ manner: Manner) { counts.withLock { $0[manner, default: 0] += 1 } }
    }

    /// The parts that run while the speaker is on.
    private struct Parts {
        let ear: LoudspeakerWithEar
        let clock: ClockService
        let output: SpeakerOutput
        let speaker: AirPlaySpeaker

        init(_ design: Design) throws {
            let (machine, bufferBytes) = (design.machine, design.bufferBytes)
            var clocks = ClockService.Configuration(identity: .ofHost(machine))
            clocks.isShared = false
            let clock = try ClockService(configuration: clocks, machine: machine)
            self.clock = clock
            ear = LoudspeakerWithEar(on: machine, design.device)
            output = try SpeakerOutput(output: ear, clock: clock, machine: machine)
            var configuration = design.configuration()
            let manners = try design.manners(&configuration)
            let context = PairingContext(
                identity: design.store.identity.pairing, controllers: design.store.controllers, password: nil,
                offersPIN: false)
            speaker = AirPlaySpeaker(
                configuration: configuration, identity: design.store.identity,
                clock: manners?.clock(clock) ?? clock, machine: machine,
                makeSink: { [output] stream in
                    let sink = output.makeSink(
                        configuration: stream.kind == .realtime
                            ? .realtime(isNTP: stream.isNTP)
                            : PlayoutConfiguration(bufferBytes: bufferBytes),
                        clock: stream.clock)
                    return manners?.sink(sink, for: stream) ?? sink
                },
                makePairing: { context.makePairing($0) },
                makeTimingSource: { peer, local in
                    try NTPFollower(peer: peer, localAddress: local, asksAtOnce: false, machine: machine)
                })
            try output.start()
            try speaker.start()
        }

        func close() async {
            await speaker.close()
            output.stop()
            await clock.close()
        }
    }

    /// - Parameters:
    ///   - bufferBytes: The bytes of sound that it holds.
    ///   - device: The crystal of its loudspeaker.
    init(
        _ name: String, _ room: VirtualHouse.Room, on machine: VirtualMachine, bufferBytes: Int,
        device: LoudspeakerWithEar.Crystal
    ) throws {
        let design = Design(
            name: name, room: room, machine: machine, bufferBytes: bufferBytes, device: device,
            store: SpeakerStore(machine: machine, inMemory: { _ in }), family: try room.manners?.family())
        self.design = design
        parts = try machine.enter { try Parts(design) }
        ears = [parts.ear]
    }

    /// Takes the power away: what the speaker holds is lost, and nobody is told.
    ///
    /// Cut its link before, and leave it cut until ``powerOn()``.
    func powerOff() {
        guard isOn else { return }
        isOn = false
        machine.network.forgetConnections(of: machine)
        machine.enter { _ = Task { [parts] in await parts.close() } }
    }

    /// Starts the speaker again, at the same address and with the same identity. Some time after ``powerOff()``.
    func powerOn() throws {
        guard !isOn else { return }
        isOn = true
        parts = try machine.enter { try Parts(design) }
        ears.append(parts.ear)
    }

    /// The speaker as senders know it.
    package var target: SpeakerTarget {
        var target = SpeakerTarget(name: name, addresses: [SocketAddress(machine.address, port: design.port)])
        target.override = manners?.override(kind) ?? kind.override
        return target
    }

    /// All that was heard, in order.
    package var runs: [HeardRun] { ears.flatMap(\.runs) }
    /// The times for which the loudspeaker had nothing to play, because its machine stalled.
    var underruns: [LoudspeakerWithEar.Underrun] { ears.flatMap(\.underruns) }
    /// Every point that was heard.
    package var points: [HeardRun.Point] { ears.flatMap(\.points) }
    /// The sound of the album that was heard sample for sample, in a house whose clocks agree, and other audible frames.
    package var exactPieces: [ExactPiece] { ears.flatMap(\.exact.pieces) }
    package var foreignFrames: Int { ears.reduce(0) { $0 + $1.exact.foreignFrames } }
    package var status: AirPlaySpeaker.Status { parts.speaker.status }
    /// How often each manner of the device was met.
    package var met: [Manner: Int] { design.meetings.counts.withLock { $0 } }
    /// Nanoseconds for which the speaker surely plays on without a network, once it is filled.
    var reserve: Int64 { min(kind.reserve, manners?.reserve ?? .max) }
    /// Whether its sender can only wait until the kernels repeat what a cut has lost: a device goes on with a session on the
    /// connection of its beginning alone, and old kernels pause as long as they have tried.
    var waitsForOldKernel: Bool { manners != nil && !machine.limitsRetransmissions }
    /// Microseconds that the settled room may be off its line beside the noise of the others' clocks.
    var tolerance: Double { kind.tolerance + (manners?.tolerance ?? 0) }
    /// The most packets of one stream for which there was no room.
    private(set) var refusedPackets = 0

    /// Notes packets for which there was no room.
    func noteRefusals() { refusedPackets = max(refusedPackets, status.stream?.refusedPackets ?? 0) }

    /// The sender's clock as the speaker knows it, less the truth, in microseconds, and its rate's error in parts per million.
    func clockError(of sender: VirtualSender) -> (offset: Double, rate: Double)? {
        guard let mapping = parts.clock.mapping(of: .ofHost(sender.machine)) else { return nil }
        let (here, there) = (machine.now, sender.machine.now)
        let offset =
            mapping.networkTime(at: here).nanoseconds - NetworkTimescale().networkTime(at: there).nanoseconds
        let time = machine.world.time
        let rate = (sender.machine.rateError(at: time) - machine.rateError(at: time)) * 1e-3
        return (Double(offset) / 1e3, (mapping.rateRatio - 1) * 1e6 - rate)
    }

    func close() async { await parts.close() }
}
