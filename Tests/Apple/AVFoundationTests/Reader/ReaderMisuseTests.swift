import AVFoundation
import Testing
import TuttiTestMedia

// Apple raises an exception here: a debug build stops, a release build ignores the call.

/// Calls that no correct program makes.
enum ReaderMisuse: String, CaseIterable, Codable, Sendable {
    case secondStart, foreignOutput, outputAddedTwice, impossibleSettings, rangeAfterStart, accessAfterStart
    case readingBeforeStart, resetWithoutAccess, resetBeforeTheEnd, resetOutOfOrder

    /// Makes the call.
    ///
    /// - Returns: Whether the call had no effect.
    func isWithoutEffect() async throws -> Bool {
        let folder = try TestFolder()
        try MediaFile.kind("a.wav").write(Signal.sweep(frameCount: 100_000), to: folder.file("a.wav"))
        let asset = AVURLAsset(url: URL(fileURLWithPath: folder.file("a.wav")))
        let track = try #require(try await asset.load(.tracks).first)
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        output.supportsRandomAccess = self != .resetWithoutAccess
        let isEarly = [.foreignOutput, .outputAddedTwice, .impossibleSettings, .readingBeforeStart].contains(
            self)
        if self != .foreignOutput { reader.add(output) }
        if !isEarly { #expect(reader.startReading()) }
        return try make(reader, output, track, folder)
    }

    private func make(
        _ reader: AVAssetReader, _ output: AVAssetReaderTrackOutput, _ track: AVAssetTrack,
        _ folder: TestFolder
    ) throws -> Bool {
        switch self {
        case .secondStart:
            return !reader.startReading() && reader.status == .reading
        case .foreignOutput:
            let other = try AVAssetReader(asset: AVURLAsset(url: URL(fileURLWithPath: folder.file("a.wav"))))
            other.add(output)
            return other.outputs.isEmpty
        case .outputAddedTwice:
            reader.add(output)
            return reader.outputs.count == 1
        case .impossibleSettings:
            reader.add(AVAssetReaderTrackOutput(track: track, outputSettings: [:]))
            return reader.outputs.count == 1
        case .rangeAfterStart:
            reader.timeRange = CMTimeRange(start: .zero, duration: .zero)
            return reader.timeRange.duration == .positiveInfinity
        case .accessAfterStart:
            output.supportsRandomAccess = false
            return output.supportsRandomAccess
        case .readingBeforeStart:
            return output.copyNextSampleBuffer() == nil && reader.status == .unknown
        case .resetWithoutAccess:
            while output.copyNextSampleBuffer() != nil {}
            output.reset(forReadingTimeRanges: [Self.range(0, 1)])
            return output.copyNextSampleBuffer() == nil && reader.status == .completed
        case .resetBeforeTheEnd:
            output.reset(forReadingTimeRanges: [Self.range(0, 1)])
            return output.copyNextSampleBuffer()?.numSamples ?? 0 > 40_000
        case .resetOutOfOrder:
            while output.copyNextSampleBuffer() != nil {}
            output.reset(forReadingTimeRanges: [Self.range(1, 2), Self.range(0, 1)])
            return output.copyNextSampleBuffer() == nil
        }
    }

    private static func range(_ start: Int64, _ end: Int64) -> NSValue {
        NSValue(
            timeRange: CMTimeRange(
                start: CMTime(value: start, timescale: 1), end: CMTime(value: end, timescale: 1)))
    }
}

@Suite("API misuse: asset readers")
struct ReaderMisuseTests {
    #if DEBUG
    @Test("misuse stops a debug build", arguments: ReaderMisuse.allCases)
    func stops(misuse: ReaderMisuse) async {
        await #expect(processExitsWith: .failure) { [misuse] in
            // An error, or no stop, ends the process normally.
            _ = try? await misuse.isWithoutEffect()
        }
    }
    #else
    @Test("misuse has no effect in a release build", arguments: ReaderMisuse.allCases)
    func isIgnored(misuse: ReaderMisuse) async throws {
        #expect(try await misuse.isWithoutEffect())
    }
    #endif
}
