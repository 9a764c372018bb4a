import Testing
import TuttiMediaTime

@testable import TuttiSoundServers

@Suite("Volumes and times of sound servers at their limits")
struct VolumeEdgesTests {
    @Test("each level of PulseAudio survives the slider, and so does its balance")
    func pulseLevels() {
        var (lost, moved) = (0, 0)
        for level in UInt32(0)...70_000 {
            if PulseLevels.level(percent: PulseLevels.percent(of: level)) != level { lost += 1 }
            let levels = [level, level / 3]
            if let slider = PulseLevels.slider(levels), slider > 0,
                PulseLevels.levels(slider, balancedLike: levels) != levels
            {
                moved += 1
            }
        }
        #expect(lost == 0 && moved == 0)
    }

    @Test("each position of the slider survives PipeWire's amplitudes")
    func amplitudes() {
        for percent in 0...400 {
            let level = AmplitudeLevels.level(percent: Double(percent))
            #expect(abs(AmplitudeLevels.percent(of: level) - Double(percent)) < 0.001)
        }
    }

    @Test("a position beyond the slider's ends is its end")
    func ends() {
        for percent in [-1, -.infinity, .nan] as [Double] {
            #expect(PulseLevels.level(percent: percent) == 0)
            #expect(AmplitudeLevels.level(percent: percent) == 0)
        }
        for percent in [400, 401, .infinity] as [Double] {
            #expect(PulseLevels.level(percent: percent) == 262_144)
            #expect(AmplitudeLevels.level(percent: percent) == 64)
        }
        #expect(MixerVolume(percent: 401, isMuted: false).percent == 400)
        #expect(MixerVolume(percent: -0.1, isMuted: false).percent == 0)
    }

    @Test("a silenced channel stays silent, and the order of the channels does not matter")
    func balance() {
        #expect(PulseLevels.levels(50, balancedLike: [0, 65_536]) == [0, 32_768])
        #expect(PulseLevels.levels(50, balancedLike: [65_536, 0]) == [32_768, 0])
        #expect(PulseLevels.levels(0, balancedLike: [65_536, 32_768]) == [0, 0])
        #expect(PulseLevels.levels(50, balancedLike: [9]) == [32_768, 32_768])
        #expect(AmplitudeLevels.levels(100, balancedLike: [.nan, 0.125]) == [0, 1])
        #expect(AmplitudeLevels.levels(100, balancedLike: [.infinity, .nan]) == [1, 1])
    }

    @Test("small movements of a mixer count when they have added up, and mute counts at once")
    func small() {
        func volume(_ percent: Double, _ isMuted: Bool = false) -> MixerVolume {
            MixerVolume(percent: percent, isMuted: isMuted)
        }
        var kept = KeptVolume()
        kept.set(volume(30))
        let steps = [30.09, 30.18, 30.2, 30.0].map { kept.take(volume($0), isReady: true) }
        #expect(steps == [false, true, false, true])
        let isMuted = kept.take(volume(30.01, true), isReady: true)
        #expect(isMuted && kept.wanted == volume(30.01, true))
        let isEcho = kept.take(volume(30.01, true), isReady: true)
        #expect(!isEcho)
    }

    @Test("a small difference of cycles closes by a 32nd, and one of 5 ms begins a new line")
    func cycles() {
        for (late, expected) in [(4, 106_125), (-4, 105_875), (0, 106_000), (5, 111_000), (-5, 101_000)] {
            var timeline = CycleTimeline(rate: .hz48000, latency: .milliseconds(100))
            let first = timeline.heardAt(cycle: HostTime(nanoseconds: 0), frames: 480, buffered: 0)
            #expect(first == HostTime(nanoseconds: 96_000_000))
            let cycle = HostTime(nanoseconds: Int64(10 + late) * 1_000_000)
            let second = timeline.heardAt(cycle: cycle, frames: 480, buffered: 0)
            #expect(second == HostTime(nanoseconds: Int64(expected) * 1_000), "\(late)")
        }
    }

    @Test("frames that the resampler holds back are heard earlier, and a reset forgets the line")
    func resampler() {
        var timeline = CycleTimeline(rate: .hz48000, latency: .milliseconds(100))
        let held = timeline.heardAt(cycle: HostTime(nanoseconds: 0), frames: 480, buffered: 48)
        #expect(held == HostTime(nanoseconds: 95_000_000))
        timeline.reset()
        let next = timeline.heardAt(cycle: HostTime(nanoseconds: 12_000_000), frames: 480, buffered: 48)
        #expect(next == HostTime(nanoseconds: 107_000_000))
    }
}
