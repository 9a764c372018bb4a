import MediaTime
import TestSupport
import Testing

@testable import AirPlaySender

@Suite("the line a group plays along")
struct PlayLineTests {
    static let lines: [PlayLine] = [
        PlayLine(frame: 0, host: HostTime(nanoseconds: 0), sampleRate: .hz44100),
        PlayLine(frame: -88_200, host: HostTime(nanoseconds: 5_000_000_001), sampleRate: .hz44100),
        // Longer than RTP time: 40 days of sound.
        PlayLine(frame: 1 << 37, host: HostTime(nanoseconds: 1 << 60), sampleRate: .hz48000),
    ]

    @Test("frame to time and back, both directions", arguments: lines)
    func roundTrip(line: PlayLine) {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            let frame = line.frame + Int64.random(in: 0...1 << 34, using: &random)
            let host = line.host(of: frame)
            // The time is rounded down, so it may name the end of the frame before.
            #expect((frame - 1...frame).contains(line.frame(at: host)))
            #expect(line.frame(at: HostTime(nanoseconds: host.nanoseconds + 1)) == frame)
        }
    }

    @Test("before the line starts, its first frame is heard", arguments: lines)
    func before(line: PlayLine) {
        #expect(line.frame(at: line.host) == line.frame)
        #expect(line.frame(at: HostTime(nanoseconds: line.host.nanoseconds - 1)) == line.frame)
        #expect(line.frame(at: HostTime(nanoseconds: 0)) == line.frame || line.host.nanoseconds < 0)
    }

    @Test("frames before the first one have earlier times", arguments: lines)
    func earlier(line: PlayLine) {
        let second = Int64(line.sampleRate.hertz)
        #expect(line.host(of: line.frame - second) == line.host.advanced(by: .seconds(-1)))
        #expect(line.host(of: line.frame + 3 * second) == line.host.advanced(by: .seconds(3)))
        #expect(line.frame(at: line.host.advanced(by: .seconds(2))) == line.frame + 2 * second)
    }

    @Test("a later point names the same line", arguments: lines)
    func advanced(line: PlayLine) {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<500 {
            let time = line.host.advanced(
                by: .nanoseconds(Int64.random(in: 1...7_200_000_000_000, using: &random)))
            let later = line.advanced(to: time)
            #expect(later.host <= time && time.since(later.host) < .microseconds(23))
            let frame = later.frame + 1_000_000
            let error = later.host(of: frame).since(line.host(of: frame))
            #expect(error <= .nanoseconds(1) && error >= .nanoseconds(-1))
        }
        #expect(line.advanced(to: HostTime(nanoseconds: line.host.nanoseconds - 5)) == line)
    }
}
