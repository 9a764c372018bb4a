import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiRTP

@testable import AirPlaySender

@Suite("The silence with which a realtime stream begins for a receiver that mutes its first packets")
struct RealtimeBeginningTests {
    private static var muting: RealtimeTraits {
        var traits = RealtimeTraits(format: .alac44100x16, clock: .ntp)
        traits.silentPackets = 10
        return traits
    }

    private static let silence = ALACSilence.byteCount(frames: 352, bits: 16)

    /// The host time at which a receiver plays an RTP time, by a sync packet.
    private static func due(_ time: UInt32, _ control: RealtimeControlPacket?) -> Int64? {
        guard case .sync(let sync)? = control else { return nil }
        let frames = Int64(Int32(bitPattern: time &- sync.frame.rawValue))
        return sync.networkTime.nanoseconds + SampleRate.hz44100.nanoseconds(of: frames + 11_025)
    }

    @Test("ten packets of silence come first; the first frame of the sound is whole and at its time")
    func start() throws {
        var rig = RealtimeRig(Self.muting)
        rig.append(packets: 0..<1000)
        rig.start(0, after: .milliseconds(680))
        rig.run(for: .milliseconds(100))
        let data = rig.data()
        try #require(data.count > 12)
        #expect(data.prefix(10).allSatisfy { $0.bytes.count == 12 + Self.silence })
        #expect(Array(data[10].bytes.dropFirst(12)) == [0, 0, 0, 0])
        #expect(Array(data[11].bytes.dropFirst(12)) == [1, 0, 0, 0])
        #expect(data.map(\.sequence) == (0..<UInt16(data.count)).map { $0 + 5 })
        // The receiver was told that the first packet has time 9, and drops what is older.
        #expect(data.map(\.time) == (0..<UInt32(data.count)).map { 9 + $0 * 352 })
        #expect(data[0].bytes[1] == 0xE0 && data[10].bytes[1] == 0x60)
        let due = try #require(Self.due(data[10].time, rig.controls().first))
        #expect(abs(due - RealtimeRig.begin.nanoseconds - 680_000_000) < 2)
    }

    @Test("each run after a flush begins with silence, also in the middle of a packet")
    func again() throws {
        var rig = RealtimeRig(Self.muting)
        rig.append(packets: 0..<1000)
        rig.start(0, after: .milliseconds(680))
        rig.run(for: .seconds(1))
        let point = rig.sender.flushPoint
        rig.sender.stop()
        rig.pump()
        let before = rig.data().count
        rig.start(3520 + 100, after: .milliseconds(680))
        rig.run(for: .milliseconds(100))
        let data = Array(rig.data().dropFirst(before))
        try #require(data.count > 11)
        #expect(data.prefix(10).allSatisfy { $0.bytes.count == 12 + Self.silence })
        #expect(Array(data[10].bytes.dropFirst(12)) == [10, 0, 0, 0])
        #expect(data[0].time > point.time.rawValue)
        #expect(data[0].sequence == point.sequence && data[0].bytes[1] == 0xE0)
    }

    @Test("silence that is due already is left out, and the sound still comes")
    func late() throws {
        var rig = RealtimeRig(Self.muting)
        rig.append(packets: 0..<1000)
        rig.start(0, after: .milliseconds(40))
        rig.run(for: .milliseconds(100))
        let data = rig.data()
        let silent = data.prefix { $0.bytes.count == 12 + Self.silence }.count
        #expect(silent < 10 && Array(data[silent].bytes.dropFirst(12)) == [0, 0, 0, 0])
    }

    @Test("others get no silence, and the sound held back before its beginning can be replaced")
    func others() {
        var rig = RealtimeRig()
        rig.append(packets: 0..<10)
        rig.start(0, after: .milliseconds(680))
        #expect(rig.data().first.map { Array($0.bytes.dropFirst(12)) } == [0, 0, 0, 0])
        var muted = RealtimeRig(Self.muting)
        muted.append(packets: 0..<10)
        muted.start(0, after: .milliseconds(1830))
        let isHeld = muted.sender.hold(from: 0)
        #expect(isHeld)
    }

    // MARK: Leads

    private static func leads(
        _ receiver: ReceiverDescription, isAirPlay1: Bool = false, latency: Duration = .zero
    ) -> SessionTraits.Leads {
        SessionTraits(
            realtime: receiver, address: "", bufferBytes: 0, isAirPlay1: isAirPlay1, latency: latency
        ).leads
    }

    private static func model(_ text: String) -> ReceiverDescription {
        ReceiverDescription(airPlay: AirPlayTXTRecord([(key: "model", value: text)]))
    }

    @Test("a start, a resume and a seek have the time to be exact")
    func leads() {
        let latency = Duration.milliseconds(250)
        let new = Self.leads(Self.model("ShairportSync"), isAirPlay1: true, latency: latency)
        #expect([new.start, new.resume, new.seek] == [600, 600, 400].map { .milliseconds($0) })
        let silence = AudioWireFormat.alac44100x16.packetDuration * 10
        let old = Self.leads(Self.model("Shairport Sync"), isAirPlay1: true, latency: latency)
        #expect(old.start == .milliseconds(600) + silence && old.resume == old.start)
        #expect(old.seek == .milliseconds(400) + silence)
        // Our speaker begins on the exact frame.
        let ours = Self.leads(Self.model("Tutti1,1"), isAirPlay1: true)
        #expect(ours.start == .milliseconds(250) && ours.seek == ours.start)
        // A receiver that is never flushed plays its queue first.
        let apple = Self.leads(Self.model("AudioAccessory5,1"))
        #expect(apple.start == .milliseconds(250))
        #expect(apple.resume == .milliseconds(650) && apple.seek == apple.resume)
        // AirPlay 2 has its own time before it is ready.
        let realtime = Self.leads(Self.model("ShairportSync"))
        #expect(realtime.start == .milliseconds(250) && realtime.seek == .milliseconds(400))
    }
}
