import AirPlayMessages
import AirPlayReceiver
import AirPlaySender
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO
import TuttiVirtualTime

/// One of our speakers on a machine of its own.
package final class VirtualSpeaker: @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    package let machine: VirtualMachine
    package let name: String
    package let kind: RoomKind
    private let device: LoudspeakerWithEar.Crystal
    private let store: SpeakerStore
    private let port: UInt16 = 7000
    /// The ears of each time that the speaker was on.
    private var ears: [LoudspeakerWithEar] = []
    private var parts: Parts
    private(set) var isOn = true

    /// The parts that run while the speaker is on.
    private struct Parts {
        let ear: LoudspeakerWithEar
        let clock: ClockService
        let output: SpeakerOutput
        let speaker: AirPlaySpeaker

        init(
            _ name: String, _ kind: RoomKind, on machine: VirtualMachine, _ store: SpeakerStore, port: UInt16,
            device: LoudspeakerWithEar.Crystal
        ) throws {
            var clocks = ClockService.Configuration(identity: .ofHost(machine))
            clocks.isShared = false
            clock = try ClockService(configuration: clocks, machine: machine)
            ear = LoudspeakerWithEar(on: machine, device)
            output = try SpeakerOutput(output: ear, clock: clock, machine: machine)
            let advertisement = SpeakerAdvertisement(name: name, identity: store.identity)
            var configuration = SpeakerConfiguration(name: name)
            configuration.port = port
            configuration.model = advertisement.model
            configuration.manufacturer = advertisement.manufacturer
            configuration.features = advertisement.features
            configuration.initialVolume = Volume(decibels: 0)
            configuration.txtRecords = { (airPlay: advertisement.airPlayData, raop: []) }
            let context = PairingContext(
                identity: store.identity.pairing, controllers: store.controllers, password: nil,
                offersPIN: false)
            speaker = AirPlaySpeaker(
                configuration: configuration, identity: store.identity, clock: clock, machine: machine,
                makeSink: { [output] stream in
                    output.makeSink(
                        configuration: stream.kind == .realtime
                            ? .realtime(isNTP: stream.isNTP)
                            : PlayoutConfiguration(bufferBytes: kind.bufferBytes),
                        clock: stream.clock)
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

    init(
        _ name: String, _ kind: RoomKind, on machine: VirtualMachine, device: LoudspeakerWithEar.Crystal
    ) throws {
        (self.machine, self.name, self.kind, self.device) = (machine, name, kind, device)
        store = SpeakerStore(machine: machine, inMemory: { _ in })
        let (store, port) = (store, port)
        parts = try machine.enter {
            try Parts(name, kind, on: machine, store, port: port, device: device)
        }
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
        parts = try machine.enter {
            try Parts(name, kind, on: machine, store, port: port, device: device)
        }
        ears.append(parts.ear)
    }

    /// The speaker as senders know it.
    package var target: SpeakerTarget {
        var target = SpeakerTarget(name: name, addresses: [SocketAddress(machine.address, port: port)])
        target.override = kind.override
        return target
    }

    /// All that was heard, in order.
    package var runs: [HeardRun] { ears.flatMap(\.runs) }
    /// The times for which the loudspeaker had nothing to play, because its machine stalled.
    var underruns: [LoudspeakerWithEar.Underrun] { ears.flatMap(\.underruns) }
    /// Every point that was heard.
    package var points: [HeardRun.Point] { ears.flatMap(\.points) }
    package var status: AirPlaySpeaker.Status { parts.speaker.status }
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
