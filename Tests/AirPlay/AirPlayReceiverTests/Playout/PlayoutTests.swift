import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("Playout")
struct PlayoutTests {
    @Test("audio starts on its frame, and with equal clocks plays bit for bit")
    func exact() {
        var room = VirtualRoom()
        room.playout.append(0..<200)
        room.play(RTPTime(rawValue: 0), at: 1000)
        let output = room.run(60_000)
        #expect(output[..<2000].allSatisfy { $0 == 0 })
        #expect(Array(output[2000..<120_000]) == TestPackets.samples(0..<59_000))
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
        #expect(room.playout.mixedSound.outages.underrunCount == 0)
        #expect(room.playout.servo.mode == .locked)
    }

    @Test("an anchor in the past starts in mid-stream", arguments: [1, 3000, 30_000])
    func past(frames: Int64) {
        var room = VirtualRoom()
        room.playout.append(0..<200)
        room.frame = 50_000
        room.play(RTPTime(rawValue: 0), at: 50_000 - frames)
        #expect(room.run(5000) == TestPackets.samples(frames..<frames + 5000))
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
    }

    @Test("nothing plays before the clock is known; then it starts at the right frame")
    func held() {
        var room = VirtualRoom()
        room.knowsClock = false
        room.playout.append(0..<200)
        room.play(RTPTime(rawValue: 0), at: 100)
        #expect(room.run(4410).allSatisfy { $0 == 0 })
        room.knowsClock = true
        #expect(room.run(4410) == TestPackets.samples(4310..<8720))
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
    }

    @Test("the latency offset shifts everything", arguments: [0.01, -0.01])
    func offset(seconds: Double) {
        var room = VirtualRoom(configuration: PlayoutConfiguration(latencyOffset: seconds))
        room.playout.append(0..<100)
        room.play(RTPTime(rawValue: 0), at: 1000)
        let start = 1000 + Int(seconds * 44_100)
        let output = room.run(10_000)
        #expect(Array(output[(start * 2)...]) == TestPackets.samples(0..<Int64(10_000 - start)))
        #expect(output[..<(start * 2)].allSatisfy { $0 == 0 })
    }

    /// 441 frames are 10 ms, and 5 ms are 220 and a half: no step rounds.
    @Test(
        "a start between two device frames loses none",
        arguments: [(882, 0.005), (1323, -0.005)])
    func betweenFrames(frame: Int64, seconds: Double) {
        var room = VirtualRoom(configuration: PlayoutConfiguration(latencyOffset: seconds))
        room.playout.append(0..<20)
        room.play(RTPTime(rawValue: 0), at: frame)
        let output = room.run(6000)
        let first = output.firstIndex { $0 != 0 }.map { $0 / 2 } ?? 0
        #expect(abs(Double(first) - Double(frame) - seconds * 44_100) <= 0.6)
        #expect(Array(output[(first * 2)...]) == TestPackets.samples(0..<Int64(6000 - first)))
    }

    @Test("sequence numbers and RTP times wrap")
    func wraps() {
        var room = VirtualRoom()
        room.playout.append(0..<200, first: 0x7F_FFC0, rtpTime: .max - 20_000)
        room.play(RTPTime(rawValue: .max - 20_000), at: 0)
        #expect(room.run(60_000) == TestPackets.samples(0..<60_000))
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
    }

    @Test("a missing packet is silence of its length, and counted; one that arrives in time plays")
    func missing() {
        var room = VirtualRoom()
        room.playout.append(0..<40)
        room.playout.append(42..<200)
        room.play(RTPTime(rawValue: 0), at: 0)
        var output = room.run(352 * 30)
        room.playout.append(41..<42)
        output += room.run(352 * 100)
        let hole = 40 * 352..<41 * 352
        #expect(Array(output[..<(hole.lowerBound * 2)]) == TestPackets.samples(0..<Int64(hole.lowerBound)))
        #expect(output[hole.lowerBound * 2..<hole.upperBound * 2].allSatisfy { $0 == 0 })
        #expect(
            Array(output[(hole.upperBound * 2)...])
                == TestPackets.samples(Int64(hole.upperBound)..<Int64(130 * 352)))
        #expect(room.playout.mixedSound.outages.missingFrames == 352)
        #expect(room.playout.mixedSound.outages.underrunCount == 0)
        room.playout.append(40..<41)
        #expect(room.playout.decoder.refusedPackets == 1)
    }

    @Test("late audio plays from the frame that is due; the silent part is counted")
    func late() {
        var room = VirtualRoom()
        room.playout.append(0..<10)
        room.play(RTPTime(rawValue: 0), at: 0)
        var output = room.run(5000)
        room.playout.append(10..<100)
        output += room.run(5000)
        #expect(Array(output[..<7040]) == TestPackets.samples(0..<3520))
        #expect(output[7040..<10_000].allSatisfy { $0 == 0 })
        #expect(Array(output[10_000...]) == TestPackets.samples(5000..<10_000))
        #expect(room.playout.mixedSound.outages.missingFrames == 1480)
        #expect(room.playout.mixedSound.outages.underrunCount == 1)
    }

    @Test("the end of a stream is not loss")
    func end() {
        var room = VirtualRoom()
        room.playout.append(0..<10)
        room.play(RTPTime(rawValue: 0), at: 0)
        _ = room.run(44_100)
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
    }

    @Test("sound that runs out before the sender pauses is no underrun; without a word it is a cut")
    func runsOut() {
        for isPaused in [true, false] {
            var room = VirtualRoom()
            room.playout.append(0..<10)
            room.play(RTPTime(rawValue: 0), at: 0)
            _ = room.run(3 * 44_100)
            #expect(room.playout.status().underrunCount == 0 && room.playout.status().isPlaying)
            if isPaused { room.pause(heard: room.frame) }
            _ = room.run(37 * 44_100)
            let status = room.playout.status()
            #expect(status.underrunCount == (isPaused ? 0 : 1))
            #expect(status.missingFrames == (isPaused ? 0 : 40 * 44_100 - 3520))
            #expect(!status.isPlaying)
        }
    }

    @Test("a cut is counted once, whether the sound goes on or not")
    func cut() {
        var room = VirtualRoom()
        room.playout.append(0..<100)
        room.play(RTPTime(rawValue: 0), at: 0)
        _ = room.run(441_000)
        room.playout.append(1300..<1600)
        let output = room.run(88_200)
        let back = (1300 * 352 - 441_000) * 2
        #expect(output[..<back].allSatisfy { $0 == 0 })
        let end = Int64(441_000 + output.count / 2)
        #expect(Array(output[back...]) == TestPackets.samples(1300 * 352..<end))
        let status = room.playout.status()
        #expect(status.missingFrames == 1200 * 352 && status.underrunCount == 1)
    }

    @Test("an intended gap is silent and not counted")
    func gap() {
        var room = VirtualRoom()
        room.playout.append(0..<10)
        for index in 10..<60 {
            let start = index * 352 + 1000
            room.playout.append(TestPackets.pcm(UInt32(index), rtpTime: RTPTime(rawValue: UInt32(start))))
        }
        room.play(RTPTime(rawValue: 0), at: 0)
        let output = room.run(10_000)
        #expect(output[7040..<9040].allSatisfy { $0 == 0 })
        #expect(Array(output[9040...]) == TestPackets.samples(4520..<10_000))
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
    }

    @Test("a pause loses nothing: playback resumes from any frame held")
    func pause() {
        var room = VirtualRoom()
        room.playout.append(0..<2000)
        room.play(RTPTime(rawValue: 0), at: 0)
        _ = room.run(100_000)
        room.pause(heard: 97_600)
        #expect(room.run(10_000).allSatisfy { $0 == 0 })
        for back: Int64 in [0, 500, 20_000] {
            let start = 97_600 - back
            room.play(RTPTime(rawValue: UInt32(start)), at: room.frame + 100)
            let output = room.run(100 + 3000)
            #expect(Array(output[200...]) == TestPackets.samples(start..<start + 3000), "\(back) back")
            room.pause(heard: room.frame)
        }
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
        #expect(room.playout.decoder.refusedPackets == 0)
    }

    @Test("a device slip beyond 5 ms is followed at once")
    func slip() {
        var room = VirtualRoom()
        room.playout.append(0..<1000)
        room.play(RTPTime(rawValue: 0), at: 0)
        _ = room.run(44_100)
        room.slip = 1_000_000_000
        _ = room.run(882)
        let output = room.run(1000)
        let start = 44_100 + 882 + 44_100
        #expect(output == TestPackets.samples(Int64(start)..<Int64(start + 1000)))
        #expect(room.playout.mixedSound.outages.missingFrames == 44_100)
    }

    @Test(
        "a period without mixed audio is counted, and so is one without a clock", arguments: [false, true])
    func passedOver(isClockLost: Bool) {
        var room = VirtualRoom()
        room.playout.append(0..<1000)
        room.play(RTPTime(rawValue: 0), at: 0)
        _ = room.run(44_100)
        if isClockLost {
            room.knowsClock = false
            #expect(room.run(833, chunk: 833).allSatisfy { $0 == 0 })
            room.knowsClock = true
        } else {
            room.frame += 833
            room.playout.invalidateCursor(from: room.frame)
        }
        #expect(room.run(1000) == TestPackets.samples(44_933..<45_933))
        #expect(room.playout.mixedSound.outages.missingFrames == 833)
    }

    @Test(
        "an outage longer than the history is counted once it ends, whatever the line did meanwhile",
        arguments: [0, 44_100])
    func outage(slip: Int64) {
        var room = VirtualRoom(configuration: .realtime(isNTP: true))
        room.playout.append(0..<100)
        room.play(RTPTime(rawValue: 0), at: 0)
        _ = room.run(44_100)
        room.slip = slip * 1_000_000_000 / 44_100
        _ = room.run(176_400)
        let back = 800
        room.playout.append(back..<1200)
        let from = room.frame + slip
        let silence = Int(Int64(back * 352) - from)
        let output = room.run(88_200)
        #expect(output[..<(silence * 2)].allSatisfy { $0 == 0 })
        #expect(Array(output[(silence * 2)...]) == TestPackets.samples(Int64(back * 352)..<from + 88_200))
        #expect(room.playout.mixedSound.outages.missingFrames == Int64((back - 100) * 352))
    }

    @Test("a slightly shifted anchor is approached at no more than 1000 ppm")
    func smallStep() {
        var room = VirtualRoom()
        room.playout.append(0..<4000)
        room.play(RTPTime(rawValue: 0), at: 0)
        room.skip(44_100)
        // 1 ms later than before.
        room.playout.play(
            along: Anchor(
                rtpTime: RTPTime(rawValue: 0),
                networkTime: room.networkTime(of: 0).advanced(by: .milliseconds(1))), on: VirtualRoom.clock)
        var last = Double(room.playout.cursor?.position ?? 0)
        var worst = 0.0
        for _ in 0..<1000 {
            room.skip(441)
            guard let cursor = room.playout.cursor else { continue }
            let place = Double(cursor.position) + cursor.fraction
            worst = max(worst, abs((place - last) / 441 - 1))
            last = place
        }
        #expect(worst <= 1.0001e-3)
        #expect(abs(room.trueError ?? 1) < 20e-6)
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
    }

    @Test("the buffer has its limit, and played packets make room")
    func room() {
        let size = 352 * 4 + 38
        var room = VirtualRoom(configuration: PlayoutConfiguration(bufferBytes: 100 * size + 5))
        room.playout.append(0..<120)
        #expect(room.playout.decoder.room == 5)
        #expect(room.playout.decoder.refusedPackets == 20)
        room.play(RTPTime(rawValue: 0), at: 0)
        _ = room.run(352 * 50 + 2400 + 441)
        #expect(room.playout.decoder.room >= 5 + 50 * size)
        #expect(room.playout.status().bufferedSeconds > 50 * 352 / 44_100 - 0.02)
        #expect(room.playout.status().heldBytes <= 50 * size)
    }

    @Test("at least 5 s are decoded ahead")
    func ahead() {
        var room = VirtualRoom()
        room.playout.append(0..<1500)
        room.play(RTPTime(rawValue: 0), at: 0)
        room.skip(44_100)
        let end = room.playout.decoder.timeline.end ?? 0
        #expect(end - (room.playout.cursor?.position ?? 0) >= 5 * 44_100)
    }
}
