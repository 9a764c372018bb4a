import Testing
import TuttiTestMedia

@testable import TuttiCodecs

@Suite("Tags of loudness")
struct LoudnessTagsTests {
    @Test(
        "gains in decibels are read, and text that is no gain is ignored",
        arguments: [
            ("-7.03 dB", -7.03), ("+3.2 DB", 3.2), (" -6,5db ", -6.5), ("0", 0), ("4", 4), ("nan", nil),
            ("inf", nil), ("1e99", nil), ("0x10", nil), (",", nil), ("", nil), ("dB", nil), ("--3 dB", nil),
            ("-7.03 dB dB", nil), ("61 dB", nil), ("-60.5", nil), ("1.2.3", nil), ("１２", nil),
            (String(repeating: "1", count: 100_000), nil), (String(repeating: " ", count: 50) + "3", nil),
        ] as [(String, Double?)])
    func gains(text: String, gain: Double?) { #expect(LoudnessTags.gain(text) == gain) }

    @Test(
        "peaks are read in units of full scale",
        arguments: [
            ("0.988553", 0.988553), ("1.25", 1.25), ("0", nil), ("-1", nil), ("1e-3", nil), ("40", nil),
        ] as [(String, Double?)])
    func peaks(text: String, peak: Double?) { #expect(LoudnessTags.peak(text) == peak) }

    @Test(
        "R128 gains are in 256ths of a decibel, 5 dB below those of ReplayGain",
        arguments: [
            ("0", 5), ("-1280", 0), ("256", 6), ("-32768", nil), ("40000", nil), ("1.5", nil), ("", nil),
        ] as [(String, Double?)])
    func r128(text: String, gain: Double?) { #expect(LoudnessTags.r128Gain(text) == gain) }

    @Test("tags of ReplayGain come before those of R128")
    func precedence() {
        let values = ["REPLAYGAIN_TRACK_GAIN": "-3 dB", "R128_TRACK_GAIN": "0", "R128_ALBUM_GAIN": "256"]
        let tags = LoudnessTags { values[$0] }
        #expect(tags.trackGain == -3 && tags.albumGain == 6 && tags.trackPeak == nil && !tags.isEmpty)
        #expect(LoudnessTags { _ in nil }.isEmpty)
    }

    @Test("an MP3's own values complete the tags as a pair; unknown ones are ignored")
    func stored() {
        #expect(LoudnessTags.stored(gain: -703_000, peak: 98_855) == (-7.03, 0.98855))
        #expect(LoudnessTags.stored(gain: .min, peak: 0) == (nil, nil))
        var tags = LoudnessTags()
        tags.trackGain = 1
        var other = LoudnessTags()
        (other.trackGain, other.trackPeak, other.albumGain) = (2, 0.5, 3)
        tags.complete(from: other)
        #expect(tags.trackGain == 1 && tags.trackPeak == nil && tags.albumGain == 3)
    }

    @Test("every container gives the tags", arguments: ["a.flac", "cbr.mp3", "a.ogg", "a.opus"])
    func files(name: String) throws {
        let folder = try TestFolder()
        var file = MediaFile.kind(name)
        file.tags = [
            ("REPLAYGAIN_TRACK_GAIN", "-7.03 dB"), ("replaygain_track_peak", "0.5"),
            ("REPLAYGAIN_ALBUM_GAIN", "-6.00 dB"), ("REPLAYGAIN_ALBUM_PEAK", "0.75"),
        ]
        try file.write(
            Signal.sweep(frameCount: 50_000, rate: name == "a.opus" ? .hz48000 : .hz44100),
            to: folder.file(name))
        let loudness = try MediaReader(folder.file(name)).info.loudness
        #expect(loudness.trackGain == -7.03 && loudness.trackPeak == 0.5)
        #expect(loudness.albumGain == -6 && loudness.albumPeak == 0.75)
    }
}
