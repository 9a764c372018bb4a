import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("Playout: flushes")
struct PlayoutFlushTests {
    static func point(_ index: Int) -> FlushBuffered.Point {
        FlushBuffered.Point(sequenceNumber: UInt32(index), rtpTime: RTPTime(rawValue: UInt32(index * 352)))
    }

    @Test("an immediate flush is silent until the next anchor, and nothing before its point ever plays")
    func immediate() {
        var room = VirtualRoom()
        room.playout.append(0..<100)
        room.play(RTPTime(rawValue: 0), at: 0)
        _ = room.run(10_000)
        let isSilenced = room.playout.flush(FlushBuffered(until: Self.point(150)))
        #expect(isSilenced)
        room.playout.invalidateCursor(from: room.frame)
        #expect(room.run(2000).allSatisfy { $0 == 0 })
        // Packets before the point arrive too late to play.
        room.playout.append(100..<150)
        #expect(room.playout.decoder.store.isEmpty)
        #expect(room.playout.decoder.room == PlayoutConfiguration.defaultBufferBytes)
        room.playout.append(150..<250)
        room.play(RTPTime(rawValue: 150 * 352), at: room.frame + 100)
        let output = room.run(10_000)
        #expect(output[..<200].allSatisfy { $0 == 0 })
        #expect(Array(output[200...]) == TestPackets.samples(150 * 352..<150 * 352 + 9900))
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
    }

    @Test(
        "after a flush RTP time may restart anywhere, also earlier", arguments: [5000, 60_000, 4_000_000_000])
    func jump(rtpTime: UInt32) {
        var room = VirtualRoom()
        room.playout.append(0..<600)
        room.play(RTPTime(rawValue: 0), at: 0)
        _ = room.run(100_000)
        _ = room.playout.flush(FlushBuffered(until: Self.point(600)))
        room.playout.invalidateCursor(from: room.frame)
        for index in 0..<100 {
            room.playout.append(
                TestPackets.pcm(
                    UInt32(600 + index), rtpTime: RTPTime(rawValue: rtpTime &+ UInt32(index * 352)),
                    position: Int64(index * 352)))
        }
        let bytes = 100 * (352 * 4 + 38)
        _ = room.run(4410)
        #expect(room.playout.decoder.store.heldBytes == bytes)
        room.play(RTPTime(rawValue: rtpTime), at: room.frame + 441)
        #expect(Array(room.run(20_441)[882...]) == TestPackets.samples(0..<20_000))
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
    }

    @Test("a flush between two points replaces audio, also what is decoded", arguments: [0, 1])
    func deferred(isEarly: Int) {
        var room = VirtualRoom()
        let known = isEarly == 1 ? 0..<60 : 0..<400
        room.playout.append(known)
        room.play(RTPTime(rawValue: 0), at: 0)
        var output = room.run(352 * 20)
        // 0.5 s ahead of the playhead: 44100 ⁄ 352 ⁄ 2 packets.
        let cut = 20 + 63
        let isSilenced = room.playout.flush(
            FlushBuffered(from: Self.point(cut), until: Self.point(400)))
        #expect(!isSilenced)
        if isEarly == 1 { room.playout.append(60..<400) }
        for index in 0..<100 {
            room.playout.append(
                TestPackets.pcm(
                    UInt32(400 + index), rtpTime: RTPTime(rawValue: UInt32((cut + index) * 352)), seed: 5))
        }
        output += room.run(352 * 130)
        #expect(Array(output[..<(cut * 352 * 2)]) == TestPackets.samples(0..<Int64(cut * 352)))
        #expect(
            Array(output[(cut * 352 * 2)...])
                == TestPackets.samples(Int64(cut * 352)..<Int64(150 * 352), seed: 5))
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
        #expect(room.playout.decoder.refusedPackets == 0)
    }

    @Test("several flushes each leave their silence, none counted as lost")
    func several() {
        var room = VirtualRoom()
        room.playout.append(0..<300)
        room.play(RTPTime(rawValue: 0), at: 0)
        var output = room.run(352 * 5)
        for start in [100, 140, 180] {
            _ = room.playout.flush(FlushBuffered(from: Self.point(start), until: Self.point(start + 10)))
        }
        output += room.run(352 * 245)
        for index in 0..<250 {
            let isFlushed = [100..<110, 140..<150, 180..<190].contains { $0.contains(index) }
            let part = Array(output[index * 704..<(index + 1) * 704])
            let wanted = TestPackets.samples(Int64(index * 352)..<Int64((index + 1) * 352))
            #expect(part == (isFlushed ? [Float](repeating: 0, count: 704) : wanted), "packet \(index)")
        }
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
    }

    @Test("a packet that is already playing plays to its end")
    func begun() {
        var room = VirtualRoom()
        room.playout.append(0..<100)
        room.play(RTPTime(rawValue: 0), at: 0)
        var output = room.run(352 * 10 + 100)
        _ = room.playout.flush(FlushBuffered(from: Self.point(5), until: Self.point(100)))
        for index in 0..<50 {
            room.playout.append(
                TestPackets.pcm(
                    UInt32(100 + index), rtpTime: RTPTime(rawValue: UInt32((5 + index) * 352)), seed: 9))
        }
        output += room.run(352 * 20)
        #expect(Array(output[..<(11 * 704)]) == TestPackets.samples(0..<11 * 352))
        #expect(
            Array(output[(11 * 704)...]) == TestPackets.samples(11 * 352..<Int64(30 * 352 + 100), seed: 9))
    }

    @Test("a realtime flush drops packets before an RTP time")
    func realtime() {
        var room = VirtualRoom(configuration: .realtime(isNTP: true))
        room.playout.append(0..<300)
        room.play(RTPTime(rawValue: 0), at: 0)
        _ = room.run(3520)
        room.playout.flush(before: RTPTime(rawValue: 50 * 352))
        #expect(room.run(40 * 352).allSatisfy { $0 == 0 })
        #expect(room.run(3520) == TestPackets.samples(50 * 352..<60 * 352))
    }

    /// OwnTone's behaviour: audio is sent 2.25 s ahead, FLUSH names the next packet, and after the pause packets continue
    /// at the next RTP time on a new line, which is announced before or after the first of them.
    @Test(
        "a realtime pause of any length loses nothing on resume",
        arguments: [0.2, 1.5, 2.1, 2.2, 2.3, 3, 5, 8, 12], [false, true])
    func realtimePause(seconds: Double, isLineLate: Bool) {
        var room = VirtualRoom(configuration: .realtime(isNTP: true))
        let lead = 282
        room.playout.append(0..<lead)
        room.play(RTPTime(rawValue: 0), at: 0)
        for index in 0..<500 {
            room.playout.append(lead + index..<lead + index + 1)
            let heard = TestPackets.samples(Int64(index * 352)..<Int64(index * 352 + 352))
            #expect(room.run(352, chunk: 352) == heard)
        }
        let next = lead + 500
        room.playout.flush(before: RTPTime(rawValue: UInt32(next * 352)))
        room.playout.invalidateCursor(from: room.frame)
        #expect(room.run(Int(seconds * 44_100)).allSatisfy { $0 == 0 })
        let start = room.frame + Int64(lead * 352)
        if isLineLate {
            // 5 ms of audio arrive, and the device continues, before the line is announced.
            room.playout.append(next..<next + 1)
            #expect(room.run(221).allSatisfy { $0 == 0 })
        }
        room.play(RTPTime(rawValue: UInt32(next * 352)), at: start)
        var output: [Float] = []
        for index in 0..<600 {
            if !isLineLate || index > 0 { room.playout.append(next + index..<next + index + 1) }
            output += room.run(352, chunk: 352)
        }
        let sound = Array(output.drop { $0 == 0 })
        #expect(sound.count >= 300 * 704)
        #expect(sound == TestPackets.samples(Int64(next * 352)..<Int64(next * 352 + sound.count / 2)))
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
        #expect(room.playout.decoder.refusedPackets == 0)
    }

    @Test("a line that is not announced again is followed 1.2 s after a realtime flush; the loss is counted")
    func realtimeFlushWithoutNewLine() {
        var room = VirtualRoom(configuration: .realtime(isNTP: true))
        room.playout.append(0..<100)
        room.play(RTPTime(rawValue: 0), at: 0)
        _ = room.run(3520)
        room.playout.flush(before: RTPTime(rawValue: 100 * 352))
        _ = room.run(100 * 352)
        room.playout.append(100..<400)
        #expect(room.run(52_920).allSatisfy { $0 == 0 })
        _ = room.run(441)
        let start = room.frame
        #expect(room.run(4410) == TestPackets.samples(start..<start + 4410))
        #expect((56_440...56_881).contains(room.playout.mixedSound.outages.missingFrames))
    }
}
