import Testing
import TuttiAudioOutput
import TuttiMediaTime

@testable import AirPlayReceiver

@Suite("RenderHandoff")
struct RenderHandoffTests {
    static func render(_ handoff: RenderHandoff, _ count: Int, from frame: Int64, channels: Int = 2)
        -> [Float]
    {
        var output = [Float](repeating: 9, count: count * channels)
        output.withUnsafeMutableBufferPointer {
            handoff.render(
                $0, frameCount: count,
                at: DeviceTime(frame: frame, playTime: HostTime(nanoseconds: frame * 1000), rateRatio: 1))
        }
        return output
    }

    /// Adds a track with a ramp from 0.5 on, at a frame.
    static func putOn(_ handoff: RenderHandoff, at frame: Int64, count: Int, value: (Int) -> Float) {
        guard let index = handoff.spare() else { return }
        let track = handoff.track(index)
        track.begin(at: frame)
        let samples = (0..<count).flatMap { [value($0), -value($0)] }
        samples.withUnsafeBufferPointer { if let base = $0.baseAddress { track.write(base, count: count) } }
        handoff.putOn(index)
    }

    @Test("frames come out at their position, bit for bit, surrounded by silence")
    func place() {
        let handoff = RenderHandoff(channelCount: 2, sampleRate: .hz44100)
        #expect(handoff.deviceTime == nil)
        #expect(Self.render(handoff, 100, from: 0).allSatisfy { $0 == 0 })
        #expect(handoff.deviceTime?.next == 100)
        Self.putOn(handoff, at: 150, count: 300) { Float($0 + 1) / 1024 }
        let output = Self.render(handoff, 100, from: 100) + Self.render(handoff, 250, from: 200)
        #expect(output[..<100].allSatisfy { $0 == 0 })
        #expect(
            output[100..<700].enumerated().allSatisfy { offset, sample in
                sample == Float(offset / 2 + 1) / 1024 * (offset % 2 == 0 ? 1 : -1)
            })
    }

    @Test("withdrawn audio is silent within the next period, and fades without a click")
    func takeOff() {
        let handoff = RenderHandoff(channelCount: 2, sampleRate: .hz44100)
        _ = Self.render(handoff, 10, from: 0)
        Self.putOn(handoff, at: 10, count: 5000) { _ in 0.5 }
        var output = Self.render(handoff, 500, from: 10)
        handoff.takeOff()
        output += Self.render(handoff, 256, from: 510)
        #expect(output[1000..<1096].contains { $0 != 0 })
        #expect(output[1096...].allSatisfy { $0 == 0 })
        for frame in 501..<700 { #expect(abs(output[frame * 2] - output[frame * 2 - 2]) < 0.011) }
    }

    @Test("the end of what was taken from a track is known, whether or not the device goes on in silence")
    func soundEnd() {
        let handoff = RenderHandoff(channelCount: 2, sampleRate: .hz44100)
        _ = Self.render(handoff, 10, from: 0)
        #expect(handoff.soundEnd == Int64.min)
        Self.putOn(handoff, at: 10, count: 5000) { _ in 0.5 }
        _ = Self.render(handoff, 500, from: 10)
        #expect(handoff.soundEnd == 510)
        handoff.takeOff(at: 700)
        _ = Self.render(handoff, 100, from: 510)
        #expect(handoff.soundEnd == 610)
        _ = Self.render(handoff, 500, from: 610)
        #expect(handoff.soundEnd == 700)
        Self.putOn(handoff, at: 1110, count: 5000) { _ in 0.5 }
        handoff.takeOff()
        _ = Self.render(handoff, 500, from: 1110)
        #expect(handoff.soundEnd == 700)
    }

    @Test("another track in mid-audio joins without a click")
    func change() {
        let handoff = RenderHandoff(channelCount: 2, sampleRate: .hz44100)
        _ = Self.render(handoff, 10, from: 0)
        Self.putOn(handoff, at: 10, count: 5000) { _ in 0.5 }
        var output = Self.render(handoff, 500, from: 10)
        Self.putOn(handoff, at: 510, count: 5000) { _ in -0.25 }
        output += Self.render(handoff, 500, from: 510)
        for frame in 1..<1000 { #expect(abs(output[frame * 2] - output[frame * 2 - 2]) < 0.017) }
        #expect(output[1998] == -0.25)
    }

    @Test("the volume ramps to its value in 10 ms, and back to exactly full scale")
    func gain() {
        let handoff = RenderHandoff(channelCount: 2, sampleRate: .hz48000)
        _ = Self.render(handoff, 10, from: 0)
        Self.putOn(handoff, at: 10, count: 10_000) { _ in 0.5 }
        _ = Self.render(handoff, 100, from: 10)
        handoff.setGain(0)
        let output = Self.render(handoff, 1000, from: 110)
        for frame in 1..<1000 {
            #expect(abs(output[frame * 2] - output[frame * 2 - 2]) < 0.0011)
        }
        #expect(output[481 * 2] == 0)
        handoff.setGain(1)
        #expect(Self.render(handoff, 1000, from: 1110).suffix(2) == [0.5, -0.5])
    }

    @Test("a mono output gets both channels, a multichannel one the first two")
    func channels() {
        for count in [1, 4] {
            let handoff = RenderHandoff(channelCount: count, sampleRate: .hz44100)
            _ = Self.render(handoff, 10, from: 0, channels: count)
            guard let index = handoff.spare() else { continue }
            handoff.track(index).begin(at: 10)
            [Float](repeating: 0.25, count: 200).withUnsafeBufferPointer {
                if let base = $0.baseAddress { handoff.track(index).write(base, count: 100) }
            }
            handoff.putOn(index)
            let output = Self.render(handoff, 1, from: 10, channels: count)
            #expect(output == (count == 1 ? [0.25] : [0.25, 0.25, 0, 0]))
        }
    }

    @Test("a track takes more than its capacity, across its wrap")
    func seam() {
        let handoff = RenderHandoff(channelCount: 2, sampleRate: .hz44100)
        guard let index = handoff.spare() else { return }
        let track = handoff.track(index)
        track.begin(at: 5)
        handoff.putOn(index)
        var next: Int64 = 5
        var output: [Float] = []
        for turn in 0..<60 {
            let samples = (0..<500).flatMap { frame -> [Float] in
                let value = Float(turn * 500 + frame) / 65_536
                return [value, value]
            }
            samples.withUnsafeBufferPointer { if let base = $0.baseAddress { track.write(base, count: 500) } }
            output += Self.render(handoff, 500, from: next)
            next += 500
        }
        #expect(output.enumerated().allSatisfy { $1 == Float($0 / 2) / 65_536 })
    }
}
