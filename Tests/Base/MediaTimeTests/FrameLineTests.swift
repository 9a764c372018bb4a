import Testing
import TuttiTestSupport

@testable import TuttiMediaTime

@Suite("A line of sound in frames")
struct FrameLineTests {
    static let lines: [FrameLine] = [
        FrameLine(frame: 0, host: HostTime(nanoseconds: 0), sampleRate: .hz44100),
        FrameLine(frame: -88_200, host: HostTime(nanoseconds: 5_000_000_001), sampleRate: .hz44100),
        // Longer than RTP time: 40 days of sound.
        FrameLine(frame: 1 << 37, host: HostTime(nanoseconds: 1 << 60), sampleRate: .hz48000),
    ]

    @Test("a frame's host time names that frame, to a nanosecond", arguments: lines)
    func roundTrip(line: FrameLine) {
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
    func before(line: FrameLine) {
        #expect(line.frame(at: line.host) == line.frame)
        #expect(line.frame(at: HostTime(nanoseconds: line.host.nanoseconds - 1)) == line.frame)
        #expect(line.frame(at: HostTime(nanoseconds: .min)) == line.frame)
    }

    @Test("the position on the line runs before its start too", arguments: lines)
    func position(line: FrameLine) {
        let second = Int64(line.sampleRate.hertz)
        #expect(line.position(at: line.host) == line.frame)
        #expect(line.position(at: line.host.advanced(by: .seconds(-2))) == line.frame - 2 * second)
        #expect(line.position(at: line.host.advanced(by: .nanoseconds(-1))) == line.frame - 1)
        #expect(line.position(at: line.host.advanced(by: .seconds(2))) == line.frame + 2 * second)
    }

    @Test("a moved line has its frame at the other time", arguments: lines)
    func moved(line: FrameLine) {
        let later = line.moved(to: line.host.advanced(by: .seconds(3)))
        #expect(later.frame == line.frame && later.sampleRate == line.sampleRate)
        #expect(later.host(of: line.frame) == line.host.advanced(by: .seconds(3)))
    }

    @Test("frames before the first one have earlier times", arguments: lines)
    func earlier(line: FrameLine) {
        let second = Int64(line.sampleRate.hertz)
        #expect(line.host(of: line.frame - second) == line.host.advanced(by: .seconds(-1)))
        #expect(line.host(of: line.frame + 3 * second) == line.host.advanced(by: .seconds(3)))
        #expect(line.frame(at: line.host.advanced(by: .seconds(2))) == line.frame + 2 * second)
    }

    @Test("a later anchor names the same line", arguments: lines)
    func advanced(line: FrameLine) {
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
        let second = line.frame + Int64(line.sampleRate.hertz)
        let later = line.advanced(toFrame: second)
        #expect(later.frame == second && later.host == line.host.advanced(by: .seconds(1)))
        #expect(later.advanced(toFrame: line.frame) == later)
    }

    static let extremes: [(frame: Int64, host: Int64)] = [
        (.min, .min), (.min, 0), (.min, .max), (0, .min), (0, .max), (.max, .min), (.max, 0), (.max, .max),
    ]

    @Test("at the extremes every result saturates", arguments: extremes)
    func saturates(frame: Int64, host: Int64) {
        let line = FrameLine(frame: frame, host: HostTime(nanoseconds: host), sampleRate: .hz44100)
        for other in [Int64.min, -1, 0, 1, .max] {
            let time = HostTime(nanoseconds: other)
            #expect(line.frame(at: time) >= frame)
            #expect(line.advanced(to: time).frame >= frame)
            let heard = line.host(of: other)
            #expect(other < frame ? heard <= line.host : heard >= line.host)
        }
        // The distance saturates, then the sum: such frames are never heard, or always have been.
        if frame <= 0, host >= 0 { #expect(line.host(of: .max) == .distantFuture) }
        if frame >= 0, host <= 0 { #expect(line.host(of: .min).nanoseconds == .min) }
    }

    static let sums: [(Int64, Int64, sum: Int64, difference: Int64, product: Int64)] = [
        (1, 2, 3, -1, 2), (.max, 1, .max, .max - 1, .max), (.max, -1, .max - 1, .max, -.max),
        (.min, 1, .min + 1, .min, .min), (.min, -1, .min, .min + 1, .max), (.max, .max, .max, 0, .max),
        (.min, .min, .min, 0, .max), (0, .min, .min, .max, 0), (.max, .min, -1, .max, .min),
        (-3, .max, .max - 3, .min, .min),
    ]

    @Test("sums, differences and products of integers saturate", arguments: sums)
    func integers(left: Int64, right: Int64, sum: Int64, difference: Int64, product: Int64) {
        #expect(left.addingSaturated(right) == sum)
        #expect(left.subtractingSaturated(right) == difference)
        #expect(left.multipliedSaturated(by: right) == product)
        let (a, b) = (HostTime(nanoseconds: left), HostTime(nanoseconds: right))
        #expect(a.advanced(by: .nanoseconds(right)).nanoseconds == sum)
        #expect(a.since(b) == .nanoseconds(difference))
    }

    static let ratios: [(Int64, rate: Double, product: Int64, quotient: Int64)] = [
        (.max, 1, .max, .max), (0x1000_0000_0000_0001, 1, 0x1000_0000_0000_0001, 0x1000_0000_0000_0001),
        (7, 2, 14, 4), (-7, 2, -14, -3), (7, 0.5, 3, 14), (-7, 0.5, -3, -14),
        (.max, 2, .max, 0x4000_0000_0000_0000), (.max, -2, .min, -0x4000_0000_0000_0000),
        (.max, 0.5, 0x4000_0000_0000_0000, .max), (3, .nan, 0, 0), (3, 0, 0, .max),
        (-3, .infinity, .min, 0),
    ]

    @Test("products and quotients with a rate are rounded as asked, and saturate", arguments: ratios)
    func rates(integer: Int64, rate: Double, product: Int64, quotient: Int64) {
        #expect(integer.scaled(by: rate, .towardZero) == product)
        #expect(integer.divided(by: rate, .up) == quotient)
    }

    static let numbers: [(Double, Int64)] = [
        (0, 0), (-7, -7), (1e300, .max), (-1e300, .min), (.infinity, .max), (-.infinity, .min), (.nan, 0),
        (0x1p63, .max), (-0x1p63, .min),
    ]

    @Test("a number outside of 64 bits is the nearest integer", arguments: numbers)
    func nearest(number: Double, integer: Int64) { #expect(Int64(saturating: number) == integer) }
}
