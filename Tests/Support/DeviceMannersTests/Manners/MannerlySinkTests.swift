import AirPlayMessages
import AirPlayReceiver
import Synchronization
import Testing
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiDeviceManners

@Suite("Sinks of stand-ins")
struct MannerlySinkTests {
    /// A sink that takes everything, and records it.
    private final class Taker: StreamSink {
        let packets = Recorder<[UInt32]>([])
        let waits = Recorder(0)

        var room: Int { 1 << 20 }
        func append(_ packet: ReceivedPacket) { packets.update { $0.append(packet.sequenceNumber) } }
        func notify(whenRoomFor bytes: Int, _ handler: @escaping @Sendable () -> Void) {
            waits.update { $0 += 1 }
            handler()
        }
        func play(along anchor: Anchor, on timeline: ClockIdentity) {}
        func playWhole(along anchor: Anchor, on timeline: ClockIdentity) -> Duration? { nil }
        func pause() {}
        func flush(_ flush: FlushBuffered) {}
        func flush(before rtpTime: RTPTime) {}
        func setVolume(_ volume: Volume) {}
        func end() {}
        var status: StreamStatus { StreamStatus() }
    }

    /// Host time is network time.
    private struct PlainClock: ReceiverClock {
        func mapping(of identity: ClockIdentity) -> ClockMapping? {
            ClockMapping(host: HostTime(nanoseconds: 0), network: NetworkTime(nanoseconds: 0))
        }
    }

    /// Host time set by the test.
    private final class TestTime: HostClock {
        let seconds = Mutex(0.0)
        var now: HostTime { HostTime(nanoseconds: Int64(seconds.withLock { $0 } * 1e9)) }
    }

    /// A sink with one manner, on a taker.
    private struct Stage {
        let taker = Taker()
        let sound = SoundState()
        let time = TestTime()
        let met = Recorder<[Manner]>([])
        let sink: MannerlySink

        init(_ manner: String, _ kind: StreamKind) {
            var manners = MannerSet()
            let isKnown = manners.add(parsing: manner)
            #expect(isKnown)
            let met = met
            sink = MannerlySink(
                taker,
                StreamDescription(
                    kind: kind, format: .alac44100x16, clock: PlainClock(),
                    sender: SenderDescription(name: nil, model: nil, address: .loopbackV4)),
                manners, sound: sound, machine: SystemMachine(clock: time)
            ) { manner, _ in met.update { $0.append(manner) } }
        }

        func give(_ number: UInt32, bytes: Int = 1000, _ format: AudioWireFormat = .alac44100x16) {
            sink.append(
                ReceivedPacket(
                    sequenceNumber: number, rtpTime: RTPTime(rawValue: number * 352), format: format,
                    payload: [UInt8](repeating: 0, count: bytes)))
        }

        /// Sets the line: frame 0 is heard after these seconds.
        func play(after seconds: Double) {
            let time = NetworkTime(nanoseconds: Int64(seconds * 1e9))
            sink.play(
                along: Anchor(rtpTime: RTPTime(rawValue: 0), networkTime: time),
                on: ClockIdentity(rawValue: 1))
        }
    }

    @Test("a stream read in bursts has no room during its pauses")
    func bursts() async throws {
        let stage = Stage("reads-in-bursts=0.05", .buffered)
        var count: UInt32 = 0
        while stage.sink.room > 0, count < 1000 {
            stage.give(count)
            count += 1
        }
        #expect((500...530).contains(count) && stage.met.value == [.readsInBursts])
        stage.sink.notify(whenRoomFor: 1) {}
        #expect(stage.taker.waits.value == 0)
        stage.time.seconds.withLock { $0 = 0.05 }
        #expect(stage.sink.room > 0)
        _ = try await stage.taker.waits.wait(for: "the end of the pause") { $0 == 1 ? 1 : nil }
        #expect(stage.taker.packets.value.count == Int(count))
    }

    @Test("a flush ends the pause of a stream read in bursts, because nothing is left to play")
    func flushEndsPause() async throws {
        let stage = Stage("reads-in-bursts=3600", .buffered)
        for number in UInt32(0)..<600 { stage.give(number) }
        #expect(stage.sink.room == 0)
        stage.sink.notify(whenRoomFor: 1) {}
        let point = FlushBuffered.Point(sequenceNumber: 600, rtpTime: RTPTime(rawValue: 600 * 352))
        stage.sink.flush(FlushBuffered(until: point))
        _ = try await stage.taker.waits.wait(for: "the end of the pause") { $0 == 1 ? 1 : nil }
        #expect(stage.sink.room > 0)
    }

    @Test(
        "a realtime stream is heard if its first packet comes early enough, whichever comes first, line or packet",
        arguments: [(2.6, true), (2.0, false)])
    func queue(seconds: Double, isHeard: Bool) {
        for packetFirst in [true, false] {
            let stage = Stage("wants-queue=2.4", .realtime)
            if packetFirst { stage.give(0) }
            stage.play(after: seconds)
            if !packetFirst { stage.give(0) }
            stage.give(1)
            #expect(stage.taker.packets.value == (isHeard ? [0, 1] : []))
            #expect(stage.met.value.isEmpty == isHeard)
            // A flush is followed by another start.
            stage.sink.flush(before: RTPTime(rawValue: 704))
            stage.play(after: 10)
            stage.give(2)
            #expect(stage.taker.packets.value.last == 2)
        }
    }

    @Test("a stream of ALAC is silent if it is buffered; a realtime one after nine packets not any more")
    func oldShairportSync() {
        let buffered = Stage("silent-at-buffered-alac", .buffered)
        buffered.give(0)
        buffered.give(1, .aac44100)
        #expect(buffered.taker.packets.value == [1])
        let realtime = Stage("silent-at-buffered-alac", .realtime)
        realtime.give(0)
        #expect(realtime.taker.packets.value == [0])
        let muting = Stage("mutes-beginnings", .realtime)
        for number in UInt32(0)..<11 { muting.give(number) }
        muting.sink.flush(before: RTPTime(rawValue: 11 * 352))
        for number in UInt32(11)..<22 { muting.give(number) }
        #expect(muting.taker.packets.value == [9, 10, 20, 21])
    }

    @Test("a silenced stream and one at 48 kHz and 24 bit forget their packets")
    func silence() {
        let deep = Stage("silent-at-48-24", .buffered)
        deep.give(0, .alac48000x24)
        deep.give(1)
        #expect(deep.taker.packets.value == [1] && deep.met.value == [.silentAt48000x24])
        let silent = Stage("stays-silent", .buffered)
        silent.sound.beginSession(silencedBy: [.staysSilent])
        silent.give(0)
        silent.sound.unsilence(.staysSilent)
        silent.give(1)
        #expect(silent.taker.packets.value == [1] && silent.met.value == [.staysSilent])
        silent.play(after: 1)
        #expect(silent.sound.hasBegun)
    }
}
