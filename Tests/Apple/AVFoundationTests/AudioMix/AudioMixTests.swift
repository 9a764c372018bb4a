import Foundation
import Testing

@testable import AVFoundation
@testable import Playback

@Suite("Audio mixes")
struct AudioMixTests {
    private func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 1000) }

    /// The values that a program gets of a time.
    private struct Ramp: Equatable {
        var isRamp = false
        var from: Float = -1
        var to: Float = -1
        var range = CMTimeRange.invalid

        init(_ parameters: AVAudioMixInputParameters, at time: CMTime) {
            isRamp = parameters.getVolumeRamp(
                for: time, startVolume: &from, endVolume: &to, timeRange: &range)
        }
    }

    @Test("ramps and volumes are read back; after the last ramp there is none")
    func ramps() {
        let parameters = AVMutableAudioMixInputParameters()
        #expect(parameters.trackID == kCMPersistentTrackID_Invalid)
        #expect(!Ramp(parameters, at: time(3)).isRamp && Ramp(parameters, at: time(3)).from == 1)
        parameters.setVolume(1, at: .zero)
        parameters.setVolumeRamp(
            fromStartVolume: 0.5, toEndVolume: 0.2, timeRange: CMTimeRange(start: time(4), end: time(9)))
        let before = Ramp(parameters, at: time(1))
        #expect(before.isRamp && before.from == 1 && before.to == 1)
        #expect(before.range == CMTimeRange(start: .zero, end: time(4)))
        let inside = Ramp(parameters, at: time(5))
        #expect(inside.isRamp && inside.from == 0.5 && inside.to == 0.2)
        #expect(inside.range == CMTimeRange(start: time(4), end: time(9)))
        let after = Ramp(parameters, at: time(9))
        #expect(!after.isRamp && after.from == 0.2 && after.to == 0.2)
        #expect(!parameters.getVolumeRamp(for: .invalid, startVolume: nil, endVolume: nil, timeRange: nil))
    }

    @Test("values that make no sense have no effect")
    func junk() {
        let parameters = AVMutableAudioMixInputParameters()
        parameters.setVolume(0.5, at: .invalid)
        parameters.setVolumeRamp(fromStartVolume: 0, toEndVolume: 1, timeRange: .invalid)
        parameters.setVolumeRamp(fromStartVolume: 0, toEndVolume: 1, timeRange: .zero)
        #expect(Ramp(parameters, at: time(1)).from == 1)
        parameters.setVolume(-.infinity, at: .zero)
        #expect(Ramp(parameters, at: time(1)).from == 0)
    }

    @Test("copies are independent, immutable or mutable as asked")
    func copies() throws {
        let parameters = AVMutableAudioMixInputParameters(track: nil)
        parameters.trackID = 7
        parameters.audioTimePitchAlgorithm = .varispeed
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        let copy = try #require(mix.copy() as? AVAudioMix)
        #expect(
            !(copy is AVMutableAudioMix) && !(copy.inputParameters[0] is AVMutableAudioMixInputParameters))
        parameters.setVolume(0.1, at: .zero)
        #expect(Ramp(copy.inputParameters[0], at: time(1)).from == 1)
        #expect(copy.inputParameters[0].trackID == 7)
        #expect(copy.inputParameters[0].audioTimePitchAlgorithm == .varispeed)
        let mutable = try #require(copy.mutableCopy() as? AVMutableAudioMix)
        mutable.inputParameters = []
        #expect(copy.inputParameters.count == 1)
        let changed = try #require(
            copy.inputParameters[0].mutableCopy() as? AVMutableAudioMixInputParameters)
        changed.setVolume(0.2, at: .zero)
        #expect(Ramp(changed, at: time(1)).to == 0.2 && Ramp(copy.inputParameters[0], at: time(1)).to == 1)
    }

    @Test("an item keeps a copy of its mix, and a copy of the item has the mix but no crossfade")
    func items() throws {
        let item = AVPlayerItem(tuttiLocation: "/a.wav")
        let next = AVPlayerItem(tuttiLocation: "/b.wav")
        #expect(item.audioMix == nil)
        let (first, second) = (AVMutableAudioMixInputParameters(), AVMutableAudioMixInputParameters())
        first.setVolume(0.5, at: .zero)
        second.trackID = 2
        second.setVolume(0.25, at: .zero)
        let mix = AVMutableAudioMix()
        mix.inputParameters = [first, second]
        item.audioMix = mix
        first.setVolume(0.9, at: .zero)
        let wishes = item.core.wishes.mix
        #expect(wishes.playing?.volume(at: time(1)) == 0.5 && wishes.tracks[2]?.volume(at: time(1)) == 0.25)
        #expect(item.audioMix?.inputParameters.count == 2)
        item.tuttiCrossfade(into: next, for: time(4))
        #expect(item.core.wishes.crossfade?.path == "/b.wav")
        let copy = try #require(item.copy() as? AVPlayerItem)
        #expect(copy.core.wishes.mix == wishes && copy.core.wishes.crossfade == nil)
        item.audioMix = nil
        item.tuttiCrossfade(into: nil, for: time(4))
        #expect(item.core.wishes.mix == ItemMix() && item.core.wishes.crossfade == nil)
    }

    @Test("a crossfade into an address, or without a duration, is not set")
    func noCrossfade() {
        let item = AVPlayerItem(tuttiLocation: "/a.wav")
        item.tuttiCrossfade(into: AVPlayerItem(tuttiLocation: "http://a.invalid/b.mp3"), for: time(4))
        #expect(item.core.wishes.crossfade == nil)
        for length in [CMTime.zero, .invalid, .positiveInfinity] {
            item.tuttiCrossfade(into: AVPlayerItem(tuttiLocation: "/b.wav"), for: length)
            #expect(item.core.wishes.crossfade == nil)
        }
    }

    @Test(
        "a volume above 1 is no larger than the peak allows; an album falls back to its track",
        arguments: [
            (-6.0206, nil, 0.5), (6.0206, 0.25, 2), (6.0206, 0.8, 1.25), (6.0206, 1.1, 1), (6.0206, nil, 2),
            (nil, 0.5, 1), (.nan, nil, 1), (900, 1e-6, 1000),
        ] as [(Double?, Double?, Float)])
    func loudness(gain: Double?, peak: Double?, volume: Float) {
        var loudness = TuttiLoudness()
        (loudness.trackGain, loudness.trackPeak) = (gain, peak)
        #expect(abs(loudness.trackVolume - volume) < 1e-4 && loudness.albumVolume == loudness.trackVolume)
        loudness.albumGain = -20
        #expect(abs(loudness.albumVolume - 0.1) < 1e-6)
    }
}
