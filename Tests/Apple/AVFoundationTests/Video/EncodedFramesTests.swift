import Foundation
import Testing
import TuttiTestMedia
import TuttiTestSupport

@testable import AVFoundation

@Suite("AVSampleBufferDisplayLayer with encoded frames", .timeLimit(.minutes(5)))
struct EncodedFramesTests {
    let folder: TestFolder
    let sink = PictureRecorder()
    let layer = AVSampleBufferDisplayLayer()
    let timebase = CMTimebase(sourceClock: CMClockGetHostTimeClock())

    init() throws {
        folder = try TestFolder()
        layer.controlTimebase = timebase
        layer.tuttiFrameSink = sink
    }

    /// The stored frames of a film, in the order of decoding.
    private func frames(_ name: String, _ film: FilmFile) async throws -> [CMSampleBuffer] {
        try await film.storedFrames(at: folder.file(name))
    }

    private func setTime(_ number: Int) throws {
        try timebase.setTime(CMTime(value: Int64(number) * 2 + 1, timescale: 50))
    }

    @Test("Frames are decoded and shown at their times", arguments: ["closed.mp4", "open.mkv"])
    func times(name: String) async throws {
        let frames = try await frames(name, .h264(isOpen: name.hasPrefix("open")))
        #expect(frames.count == 60)
        for frame in frames { layer.enqueue(frame) }
        for number in [0, 3, 4, 17, 40] {
            try setTime(number)
            try await sink.wait(for: number)
        }
        #expect(layer.status == .rendering && layer.isReadyForDisplay)
        let shown = try #require(layer.sampleBufferRenderer.copyDisplayedPixelBuffer())
        #expect(PictureRecorder.number(of: shown) == 40)
        #expect(
            sink.seen.value.allSatisfy { $0.time == CMTime(value: Int64($0.number ?? -1), timescale: 25) })
    }

    @Test("The last frames come out without an end being told, and frames that follow them are right")
    func lastFrames() async throws {
        let frames = try await frames("film.mp4", .h264(isOpen: true))
        for frame in frames.prefix(30) { layer.enqueue(frame) }
        try setTime(50)
        let last = frames.prefix(30).map { Int(($0.presentationTimeStamp.seconds * 25).rounded()) }.max() ?? 0
        try await sink.wait(for: last)
        for frame in frames.dropFirst(30) { layer.enqueue(frame) }
        try await sink.wait(for: 50)
        #expect(sink.seen.value.allSatisfy { $0.number != nil })
    }

    @Test("A flush drops frames inside the decoder; the next key frame is shown")
    func flush() async throws {
        let frames = try await frames("film.mp4", .h264(isOpen: false))
        for frame in frames.prefix(20) { layer.enqueue(frame) }
        try setTime(2)
        try await sink.wait(for: 2)
        layer.flushAndRemoveImage()
        _ = try await sink.removals.wait(for: "the removal") { $0 > 0 ? true : nil }
        #expect(layer.sampleBufferRenderer.copyDisplayedPixelBuffer() == nil)
        for frame in frames.drop(while: { Int(($0.presentationTimeStamp.seconds * 25).rounded()) < 36 }) {
            layer.enqueue(frame)
        }
        try setTime(36)
        try await sink.wait(for: 36)
    }

    @Test("A pixel buffer is shown as it is")
    func pixelBuffer() async throws {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 16, 16, kCVPixelFormatType_32BGRA, nil, &made)
        let picture = try #require(made)
        let frame = try CMSampleBuffer(
            picture: picture, time: .zero, duration: CMTime(value: 1, timescale: 25))
        layer.enqueue(frame)
        _ = try await sink.seen.wait(for: "the buffer") { $0.isEmpty ? nil : true }
        #expect(layer.status == .rendering)
    }

    @Test("Damaged frames leave the layer as it is, and later ones are shown")
    func damage() async throws {
        let frames = try await frames("film.mp4", .h264(isOpen: false))
        let format = try #require(frames.first?.formatDescription)
        for length in [1, 5, 40, 400] {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let data = try CMBlockBuffer(length: length)
            try data.replaceDataBytes(with: bytes)
            let timing = CMSampleTimingInfo(
                duration: CMTime(value: 1, timescale: 25), presentationTimeStamp: .zero,
                decodeTimeStamp: .invalid)
            layer.enqueue(
                try CMSampleBuffer(
                    dataBuffer: data, formatDescription: format, numSamples: 1, sampleTimings: [timing],
                    sampleSizes: [length]))
        }
        for frame in frames.prefix(20) { layer.enqueue(frame) }
        try setTime(5)
        try await sink.wait(for: 5)
        #expect(layer.status == .rendering)
    }
}
