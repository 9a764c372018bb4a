import AirPlayMessages
import Foundation
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiTestSupport

@testable import AirPlayReceiver

/// A decoder that quickly makes 1024 frames of silence for any packet.
final class SilentDecoder: PacketDecoder {
    let primingPacketCount = 0
    private let samples = [Float](repeating: 0, count: 2048)

    func decode(_ payload: [UInt8]) -> [Float]? { samples }
    func reset() {}
}

@Suite("Playout: drifting clocks")
struct DriftTests {
    /// A room with silent AAC packets, filled as far ahead as there is room, for 20 s.
    struct Feed {
        var room: VirtualRoom
        var next = 0

        init(
            rate: SampleRate = .hz44100, deviceDrift: Double, clockDrift: Double, noise: Double, seed: UInt64
        ) {
            room = VirtualRoom(rate: rate, makeDecoder: { _ in SilentDecoder() })
            (room.deviceDrift, room.clockDrift, room.noise) = (deviceDrift, clockDrift, noise)
            room.random = SeededGenerator(seed: seed)
        }

        mutating func feed(ahead frames: Int = 20 * 44_100) {
            let position = Int(room.playout.cursor?.position ?? 0)
            while next * 1024 < position + frames {
                // RTP times wrap as often as the numbers do.
                let packet = ReceivedPacket(
                    sequenceNumber: UInt32(next) & 0x7F_FFFF, rtpTime: RTPTime(rawValue: UInt32(next * 1024)),
                    format: .aac44100, payload: [1, 2, 3])
                room.playout.append(packet)
                next += 1
            }
        }
    }

    @Test(
        "a clock's way to a better estimate is followed, not learnt",
        arguments: [-3_000_000, 3_000_000] as [Int64])
    func slew(error: Int64) {
        var feed = Feed(deviceDrift: 60e-6, clockDrift: -30e-6, noise: 0, seed: 4)
        feed.feed()
        (feed.room.clockError, feed.room.slew) = (error, 500e-6)
        feed.room.play(RTPTime(rawValue: 0), at: 4410)
        // 3 ms at 500 ppm take 6 s.
        for second in 0..<9 {
            feed.feed()
            feed.room.skip(44_100)
            let error = feed.room.playout.status().error
            if second > 0 { #expect(abs(error) < 100e-6) }
        }
        #expect(feed.room.clockError == 0)
        #expect(abs(feed.room.trueError ?? 1) < 30e-6)
    }

    @Test("an hour of drift stays within 10 µs after the first seconds, and loses nothing")
    func hour() {
        var feed = Feed(deviceDrift: 40e-6, clockDrift: -12e-6, noise: 20_000, seed: 3)
        feed.feed()
        feed.room.play(RTPTime(rawValue: 0), at: 4410)
        var (worst, worstLater) = (0.0, 0.0)
        for second in 0..<3600 {
            feed.feed()
            for _ in 0..<5 {
                feed.room.skip(8820, chunk: 512)
                guard second > 1, let error = feed.room.trueError else { continue }
                worst = max(worst, abs(error))
                if second > 20 { worstLater = max(worstLater, abs(error)) }
            }
        }
        #expect(worst < 40e-6)
        #expect(worstLater < 10e-6)
        #expect(feed.room.playout.mixedSound.outages.missingFrames == 0)
        #expect(feed.room.playout.mixedSound.outages.underrunCount == 0)
        #expect(feed.room.playout.decoder.refusedPackets == 0)
        #expect(abs(feed.room.playout.status().drift - 52) < 2)
    }

    @Test("two rooms at +40 and −25 ppm stay within a frame of each other", arguments: [true, false])
    func rooms(ratesAreTold: Bool) {
        var feeds = [40e-6, -25e-6].enumerated().map { index, drift in
            Feed(deviceDrift: drift, clockDrift: 3e-6, noise: 10_000, seed: UInt64(index + 1))
        }
        var errors: [Double] = []
        for index in feeds.indices {
            if ratesAreTold { feeds[index].room.toldDrift = feeds[index].room.deviceDrift }
            feeds[index].feed()
            feeds[index].room.play(RTPTime(rawValue: 0), at: 4410)
        }
        for _ in 0..<3000 {
            for index in feeds.indices {
                feeds[index].feed()
                feeds[index].room.skip(8820, chunk: 512)
            }
            if let left = feeds[0].room.trueError, let right = feeds[1].room.trueError {
                errors.append(abs(left - right))
            }
        }
        errors.sort()
        #expect(errors.count > 2990)
        #expect(errors[errors.count * 99 / 100] < (ratesAreTold ? 10e-6 : 16e-6))
        #expect(errors[errors.count - 1] < (ratesAreTold ? 22e-6 : 80e-6))
    }

    @Test(
        "a tone plays at its time, whatever the rates",
        arguments: [(SampleRate.hz44100, 40e-6), (.hz44100, -25e-6), (.hz48000, 40e-6), (.hz48000, 0)])
    func tone(rate: SampleRate, drift: Double) {
        var room = VirtualRoom(rate: rate)
        room.deviceDrift = drift
        let start = Int64(rate.hertz / 10)
        for index in 0..<900 {
            var payload: [UInt8] = []
            for frame in index * 352..<(index + 1) * 352 {
                let value = Int16((16_000 * sin(2 * .pi * 1000 * Double(frame) / 44_100)).rounded())
                for _ in 0..<2 {
                    payload += [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
                }
            }
            room.playout.append(
                ReceivedPacket(
                    sequenceNumber: UInt32(index), rtpTime: RTPTime(rawValue: UInt32(index * 352)),
                    format: .pcm44100x16, payload: payload))
        }
        room.play(RTPTime(rawValue: 0), at: start)
        room.skip(rate.hertz * 6)
        let first = room.frame
        let output = room.run(rate.hertz / 10)
        let worst = (0..<rate.hertz / 10).map { index -> Double in
            let seconds = (room.hostTime(of: first + Int64(index)) - room.hostTime(of: start)) * 1e-9
            return abs(Double(output[index * 2]) - 16_000 / 32_768.0 * sin(2 * .pi * 1000 * seconds))
        }.max()
        // 3 µs of a 1 kHz tone at half of full scale.
        #expect((worst ?? 1) < 0.01)
    }

    @Test(
        "a clock measured badly at the start leaves lossless audio bit for bit, within the tolerance",
        arguments: [250_000, -400_000, 900_000])
    func badStart(nanoseconds: Int64) {
        for isTold in [true, false] {
            var room = VirtualRoom(configuration: .realtime(isNTP: true))
            room.playout.append(0..<2000)
            (room.clockError, room.uncertainty) = (nanoseconds, isTold ? abs(nanoseconds) : 0)
            room.play(RTPTime(rawValue: 0), at: 4410)
            var output = room.run(44_100)
            (room.clockError, room.uncertainty) = (0, 20_000)
            output += room.run(441_000)
            let sound = Array(output.drop { $0 == 0 })
            let isExact = sound == TestPackets.samples(0..<Int64(sound.count / 2))
            #expect(isExact == isTold)
            #expect(room.playout.mixedSound.outages.missingFrames == 0)
        }
    }

    @Test(
        "a clock that was uncertain at the start is believed when it has been certain for ten seconds",
        arguments: [(80_000, true), (-80_000, true), (300_000, false), (-900_000, false)])
    func certainAtLast(nanoseconds: Int64, isExact: Bool) {
        var feed = Feed(deviceDrift: 0, clockDrift: 0, noise: 0, seed: 1)
        (feed.room.clockError, feed.room.uncertainty) = (nanoseconds, 1_000_000)
        feed.feed()
        feed.room.play(RTPTime(rawValue: 0), at: 4410)
        feed.room.skip(44_100)
        (feed.room.clockError, feed.room.uncertainty) = (0, 20_000)
        var modes: [DriftServo.Mode] = []
        for _ in 0..<24 {
            feed.feed()
            feed.room.skip(44_100)
            modes.append(feed.room.playout.servo.mode)
        }
        #expect(modes[..<9].allSatisfy { $0 == .locked })
        #expect(modes.allSatisfy { $0 == .locked } == isExact)
        #expect(abs(feed.room.trueError ?? 1) < (isExact ? 100e-6 : 12e-6))
        #expect(feed.room.playout.mixedSound.outages.missingFrames == 0)
    }

    @Test("a locked stream of an uncertain clock follows as soon as the rate is known to be another one")
    func otherRate() {
        var feed = Feed(deviceDrift: 0, clockDrift: 58e-6, noise: 0, seed: 1)
        feed.feed()
        (feed.room.uncertainty, feed.room.rateError) = (1_000_000, 60e-6)
        feed.room.play(RTPTime(rawValue: 0), at: 4410)
        feed.room.skip(3 * 44_100)
        #expect(feed.room.playout.servo.mode == .locked)
        feed.room.rateError = 10e-6
        feed.feed()
        feed.room.skip(8 * 44_100)
        #expect(feed.room.playout.servo.mode == .following)
        #expect(abs(feed.room.trueError ?? 1) < 20e-6)
    }

    @Test("a clock that is not heard leaves lossless audio bit for bit, within its stated uncertainty")
    func unheardClock() {
        for isTold in [true, false] {
            var room = VirtualRoom()
            room.playout.append(0..<2000)
            room.play(RTPTime(rawValue: 0), at: 4410)
            var output = room.run(22_050)
            // A link that is cut half a second after the start: the clock's rate was wrong by 20 ppm.
            for step in 0...8 {
                room.clockError = -Int64(step) * 10_000
                room.uncertainty = isTold ? Int64(step) * 9_000 : 0
                output += room.run(22_050)
            }
            (room.clockError, room.uncertainty) = (0, 0)
            output += room.run(220_500)
            let sound = Array(output.drop { $0 == 0 })
            #expect((sound == TestPackets.samples(0..<Int64(sound.count / 2))) == isTold)
            #expect(room.playout.mixedSound.outages.missingFrames == 0)
        }
    }

    @Test(
        "lossless audio that begins while its clock is corrected is on the line from the start, bit for bit",
        arguments: [-900_000, -126_000, 126_000, 900_000])
    func beginsInCorrection(nanoseconds: Int64) {
        var room = VirtualRoom()
        room.playout.append(0..<3000)
        (room.clockError, room.slew, room.tellsCorrection) = (nanoseconds, 60e-6, true)
        room.play(RTPTime(rawValue: 0), at: 4410)
        var output = room.run(44_100)
        #expect(abs(room.trueError ?? 1) < 12e-6)
        output += room.run(44_100 * 20)
        #expect(abs(room.trueError ?? 1) < 12e-6)
        let sound = Array(output.drop { $0 == 0 })
        let isExact = sound == TestPackets.samples(0..<Int64(sound.count / 2))
        #expect(isExact)
    }

    @Test("lossless audio stays where it is while its clock, which went astray, is corrected")
    func staysInCorrection() {
        var room = VirtualRoom()
        room.playout.append(0..<3000)
        room.play(RTPTime(rawValue: 0), at: 4410)
        var output = room.run(44_100)
        // A link that was cut: its clock ran away while nothing was heard of it.
        for step in Int64(0)...8 {
            (room.clockError, room.uncertainty) = (-step * 20_000, step * 20_000)
            output += room.run(22_050)
        }
        (room.uncertainty, room.slew, room.tellsCorrection) = (0, 20e-6, true)
        output += room.run(44_100 * 15)
        let sound = Array(output.drop { $0 == 0 })
        let isExact = sound == TestPackets.samples(0..<Int64(sound.count / 2))
        #expect(isExact && abs(room.trueError ?? 1) < 12e-6)
    }

    @Test("clocks that settle after noise return to frame-for-frame playout")
    func docking() {
        var feed = Feed(deviceDrift: 0, clockDrift: 0, noise: 0, seed: 1)
        feed.room.toldDrift = 40e-6
        feed.feed()
        feed.room.play(RTPTime(rawValue: 0), at: 4410)
        feed.room.skip(44_100, chunk: 512)
        #expect(feed.room.playout.servo.mode == .following)
        feed.room.toldDrift = 0
        for _ in 0..<90 {
            feed.feed()
            feed.room.skip(44_100, chunk: 512)
        }
        #expect(feed.room.playout.servo.mode == .locked)
        #expect(feed.room.playout.cursor?.fraction == 0)
        #expect(abs(feed.room.trueError ?? 1) < 12e-6)
    }
}
