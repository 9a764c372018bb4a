import CoreMedia
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia
import TuttiTestSupport

@testable import Playback

@Suite("Files with mutated bytes")
struct HostileFilesTests {
    @Test(
        "mutated files never trap, hang or grow on the way to sample buffers",
        arguments: MediaFile.kinds.map(\.name))
    func changed(name: String) throws {
        let folder = try TestFolder()
        let rate: SampleRate = name.contains("opus") ? .hz48000 : .hz44100
        try MediaFile.kind(name).write(Signal.sweep(frameCount: 60_000, rate: rate), to: folder.file(name))
        let bytes = try TestFolder.bytes(of: folder.file(name))
        let target = try #require(
            LinearPCMTarget(
                sampleRate: .hz48000, channelCount: 1, bits: 24, isFloat: false, isBigEndian: true,
                isInterleaved: false))
        var generator = SeededGenerator(seed: 5)
        for round in 0..<12 {
            var changed = bytes
            for _ in 0..<(1 + round * 4) {
                // The first bytes decide how the others are read.
                let reach = round % 2 == 0 ? min(bytes.count, 600) : bytes.count
                changed[Int.random(in: 0..<reach, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            let path = try folder.write(changed, to: "bad-" + name)
            guard let reader = try? MediaReader(path) else { continue }
            for frames in [0..<Int64.max, 20_000..<30_000] as [Range<Int64>] {
                try read(try? PacketSource(reader, start: .zero, frames: frames, isAnew: true)) {
                    try $0.nextBuffer()
                }
                try read(try? ConvertedSource(reader, frames: frames, to: target, isAnew: true)) {
                    try $0.nextBuffer()
                }
            }
        }
    }

    /// Reads everything; an error ends the reading.
    private func read<Source>(_ source: Source?, _ next: (Source) throws -> CMSampleBuffer?) throws {
        guard let source else { return }
        var frames: Int64 = 0
        while let buffer = try? next(source) {
            frames += buffer.duration.convertScale(48_000, method: .default).value
            #expect(buffer.totalSampleSize == buffer.dataBuffer?.dataLength)
            if frames > 1 << 40 { break }
        }
    }
}
