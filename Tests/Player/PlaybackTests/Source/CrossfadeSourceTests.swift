import CoreMedia
import Foundation
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@testable import Playback

@Suite("The end of a file with the beginning of the next one")
struct CrossfadeSourceTests {
    /// Two files, the crossfade between them, and what was heard of the first one.
    private struct Pair {
        let folder: TestFolder
        let first: PCMBuffer
        let next: PCMBuffer
        let names: (String, String)

        /// - Parameter nextName: A name of ``MediaFile/kinds``.
        init(_ name: String = "a.wav", _ nextName: String = "a.flac", nextRate: SampleRate = .hz44100) throws
        {
            folder = try TestFolder()
            first = Signal.sweep(frameCount: 200_000)
            next = Signal.sweep(frameCount: 180_000, rate: nextRate, from: 7)
            names = ("1" + name, "2" + nextName)
            try MediaFile.kind(name).write(first, to: folder.file(names.0))
            try MediaFile.kind(nextName).write(next, to: folder.file(names.1))
        }

        func crossfade(_ seconds: Double, to path: String? = nil, end: CMTime = .invalid) -> Crossfade {
            Crossfade(
                into: ItemID(value: 2), path: path ?? folder.file(names.1),
                for: CMTime(seconds: seconds, preferredTimescale: 1000), end: end)
        }

        func source(
            _ crossfade: Crossfade?, mix: ItemMix = ItemMix(), from frame: Int64 = 0
        ) throws -> ItemSource {
            var selection = FeedSelection()
            (selection.crossfade, selection.mix) = (crossfade, mix)
            return try ItemSource(
                try MediaReader(folder.file(names.0)), from: frame, isAnew: false, seconds: 1, selection
            ) { (path: String) throws(MediaError) in try MediaReader(path) }
        }
    }

    /// Reads all; returns the packets before the overlap, and the overlap.
    private func read(_ source: ItemSource) throws -> (plain: [CMSampleBuffer], mixed: [CMSampleBuffer]) {
        var buffers: [CMSampleBuffer] = []
        while let buffer = try source.nextBuffer() { buffers.append(buffer) }
        return (buffers.filter { $0.volume != .applied }, buffers.filter { $0.volume == .applied })
    }

    /// Returns the sum with equal powers, computed in double precision.
    private func sum(_ first: [Float], _ next: [Float], count: Int) -> [Float] {
        (0..<count * 2).map { index in
            let angle = Double.pi / 2 * Double(index / 2) / Double(count)
            return Float(Double(first[index]) * cos(angle) + Double(next[index]) * sin(angle))
        }
    }

    private func distance(_ left: [Float], _ right: [Float]) -> Float {
        left.count == right.count ? zip(left, right).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
    }

    @Test("the overlap is the sum of both with equal powers, to the sample; before it the file is untouched")
    func exact() throws {
        let pair = try Pair()
        let source = try pair.source(pair.crossfade(1))
        let (plain, mixed) = try read(source)
        let (before, overlap) = (try HeardSound(plain), try HeardSound(mixed))
        let decoded = try DecodedRun(path: pair.folder.file(pair.names.0)).buffer
        let other = try DecodedRun(path: pair.folder.file(pair.names.1)).buffer
        #expect(before.start == .zero && before.buffer == decoded[0..<155_900])
        #expect(overlap.start == CMTime(value: 155_900, timescale: 44_100) && overlap.holeCount == 0)
        let wanted = sum(
            Sound.float(decoded[155_900..<200_000]).floatSamples, Sound.float(other).floatSamples,
            count: 44_100)
        #expect(distance(overlap.buffer?.floatSamples ?? [], wanted) < 1e-6)
        #expect(source.crossfaded == pair.crossfade(1))
        #expect(source.end == CMTime(value: 200_000, timescale: 44_100))
    }

    @Test(
        "a seek into the overlap continues in its middle", arguments: [155_900, 160_001, 199_999] as [Int64])
    func seek(frame: Int64) throws {
        let pair = try Pair()
        let whole = try HeardSound(try read(try pair.source(pair.crossfade(1))).mixed)
        let source = try pair.source(pair.crossfade(1), from: frame)
        let (plain, mixed) = try read(source)
        let rest = try HeardSound(mixed)
        #expect(plain.isEmpty && rest.start == CMTime(value: frame, timescale: 44_100))
        let samples = whole.buffer?.floatSamples.dropFirst(Int(frame - 155_900) * 2) ?? []
        #expect(distance(rest.buffer?.floatSamples ?? [], Array(samples)) < 1e-6)
        #expect(source.crossfaded != nil)
    }

    @Test("each item has its own volume in the overlap, and a sum beyond full scale is limited")
    func volumes() throws {
        let pair = try Pair()
        var mix = ItemMix()
        mix.playing = VolumeCurve(constant: 0.25)
        let quiet = try HeardSound(try read(try pair.source(pair.crossfade(1), mix: mix)).mixed)
        let plain = try HeardSound(try read(try pair.source(pair.crossfade(1))).mixed)
        #expect(abs(quiet.buffer?.floatSamples[20] ?? 9) < abs(plain.buffer?.floatSamples[20] ?? 0))
        mix.playing = VolumeCurve(constant: 16)
        let loud = try HeardSound(try read(try pair.source(pair.crossfade(1), mix: mix)).mixed)
        let peak = loud.buffer?.floatSamples.reduce(0) { max($0, abs($1)) } ?? 9
        #expect(peak <= 1 && peak > 0.99)
    }

    @Test("a next file of another rate is resampled, and its beginning lasts as long as the overlap")
    func rates() throws {
        let pair = try Pair(nextRate: .hz48000)
        let overlap = try HeardSound(try read(try pair.source(pair.crossfade(1))).mixed)
        #expect(overlap.buffer?.frameCount == 44_100)
        // The last frames are those of the next file alone, 48,000 of its frames later.
        let last = overlap.buffer?.floatSamples.suffix(200) ?? []
        let wanted = Signal.sweep(frameCount: 180_000, rate: .hz48000, from: 7)
        let energy = last.reduce(0) { $0 + $1 * $1 }
        #expect(energy > 0.5 && wanted.frameCount == 180_000)
    }

    @Test(
        "without a next file that fits, the item ends as it is",
        arguments: ["missing", "broken", "short", "no length"])
    func without(reason: String) throws {
        let pair = try Pair()
        var path = pair.folder.file("none.wav")
        switch reason {
        case "broken": try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: path))
        case "short": try MediaFile.kind("a.wav").write(Signal.sweep(frameCount: 60_000), to: path)
        case "no length": path = pair.folder.file(pair.names.1)
        default: break
        }
        let seconds = reason == "no length" ? 3.0 : 1
        let source = try pair.source(pair.crossfade(seconds, to: path))
        let (plain, mixed) = try read(source)
        #expect(mixed.isEmpty && source.crossfaded == nil)
        let decoded = try DecodedRun(path: pair.folder.file(pair.names.0)).buffer
        let heard = try HeardSound(plain)
        #expect(heard.buffer == decoded && heard.holeCount == 0)
    }

    @Test("the overlap ends at the end that the program set")
    func ownEnd() throws {
        let pair = try Pair()
        let end = CMTime(value: 120_000, timescale: 44_100)
        let source = try pair.source(pair.crossfade(1, end: end))
        let overlap = try HeardSound(try read(source).mixed)
        #expect(overlap.start == CMTime(value: 75_900, timescale: 44_100) && source.end == end)
    }

    @Test("compressed files cross, too", arguments: [("aac.m4a", "cbr.mp3"), ("cbr.mp3", "aac.m4a")])
    func lossy(names: (String, String)) throws {
        let pair = try Pair(names.0, names.1)
        let source = try pair.source(pair.crossfade(1))
        let (plain, mixed) = try read(source)
        let (before, overlap) = (try HeardSound(plain), try HeardSound(mixed))
        #expect(before.buffer?.frameCount == 155_900 && overlap.buffer?.frameCount == 44_100)
        let first = try DecodedRun(path: pair.folder.file(pair.names.0)).buffer
        let other = try DecodedRun(path: pair.folder.file(pair.names.1)).buffer
        let wanted = sum(
            Sound.float(first[155_900..<200_000]).floatSamples, Sound.float(other).floatSamples, count: 44_100
        )
        #expect(distance(overlap.buffer?.floatSamples ?? [], wanted) < 0.01)
    }
}
