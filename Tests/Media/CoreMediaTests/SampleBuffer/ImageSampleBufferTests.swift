import Testing

@testable import CoreMedia

@Suite("CMSampleBuffer: pictures")
struct ImageSampleBufferTests {
    static let timing = CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: 25), presentationTimeStamp: CMTime(value: 7, timescale: 25),
        decodeTimeStamp: .invalid)

    static func sample(_ picture: CVImageBuffer) throws -> CMSampleBuffer {
        try CMSampleBuffer(
            imageBuffer: picture, formatDescription: CMFormatDescription(imageBuffer: picture),
            sampleTiming: timing)
    }

    @Test("a picture is one sample with its times and without data")
    func contents() throws {
        let picture = try Pictures.buffer()
        let buffer = try Self.sample(picture)
        #expect(buffer.imageBuffer === picture && CMSampleBufferGetImageBuffer(buffer) === picture)
        #expect(buffer.numSamples == 1 && buffer.dataBuffer == nil && buffer.dataReadiness == .ready)
        #expect(buffer.presentationTimeStamp == Self.timing.presentationTimeStamp)
        #expect(buffer.duration == Self.timing.duration && !buffer.decodeTimeStamp.isValid)
        #expect(buffer.totalSampleSize == 0 && CMSampleBufferGetTotalSampleSize(buffer) == 0)
        #expect(buffer.imageByteCount == CVPixelBufferGetDataSize(picture))
        #expect(buffer.formatDescription?.dimensions == CMVideoDimensions(width: 6, height: 4))
        let sound = try Make.aac()
        #expect(sound.imageBuffer == nil && sound.imageByteCount == 0)
    }

    @Test("a format of another picture is refused")
    func wrongFormat() throws {
        let format = try CMFormatDescription(imageBuffer: Pictures.buffer(width: 8))
        let picture = try Pictures.buffer()
        let code = Make.code {
            _ = try CMSampleBuffer(
                imageBuffer: picture, formatDescription: format, sampleTiming: Self.timing)
        }
        #expect(code == kCMSampleBufferError_InvalidMediaFormat)
    }

    @Test("copies keep the picture")
    func copies() throws {
        let picture = try Pictures.buffer()
        let buffer = try Self.sample(picture)
        #expect(try CMSampleBuffer(copying: buffer).imageBuffer === picture)
        var timing = Self.timing
        timing.presentationTimeStamp = CMTime(value: 9, timescale: 25)
        let moved = try CMSampleBuffer(copying: buffer, withNewTiming: [timing])
        #expect(moved.imageBuffer === picture && moved.presentationTimeStamp.value == 9)
        let part = try CMSampleBuffer(copying: buffer, forRange: 0..<1)
        #expect(part.imageBuffer === picture && part.presentationTimeStamp.value == 7)
        let singles = Array(try buffer.singleSampleBuffers())
        #expect(singles.count == 1 && singles.first?.imageBuffer === picture)
        #expect(part.formatDescription === buffer.formatDescription)
    }

    @Test("a buffer with a picture takes no data")
    func noData() throws {
        let buffer = try Self.sample(Pictures.buffer())
        let code = Make.code { try buffer.setDataBuffer(Make.block(4)) }
        #expect(code == kCMSampleBufferError_AlreadyHasDataBuffer)
    }

    @Test("late pixels are made ready by the handler, and its error is kept")
    func readiness() throws {
        let picture = try Pictures.buffer()
        let format = try CMFormatDescription(imageBuffer: picture)
        var calls = 0
        let buffer = try CMSampleBuffer(
            imageBuffer: picture, dataReady: false, formatDescription: format, sampleTiming: Self.timing
        ) { buffer in
            calls += 1
            #expect(buffer.imageBuffer === picture)
        }
        let copy = try CMSampleBuffer(copying: buffer)
        #expect(buffer.dataReadiness == .notReady && calls == 0)
        try copy.makeDataReady()
        #expect(copy.dataReadiness == .ready && buffer.dataReadiness == .ready && calls == 1)
        try buffer.makeDataReady()
        #expect(calls == 1)
        var failing: CMSampleBuffer?
        var timing = Self.timing
        let code = CMSampleBufferCreateForImageBufferWithMakeDataReadyHandler(
            allocator: nil, imageBuffer: picture, dataReady: false, formatDescription: format,
            sampleTiming: &timing, sampleBufferOut: &failing
        ) { _ in -77 }
        #expect(code == noErr)
        #expect(Make.code { try failing?.makeDataReady() } == -77)
        #expect(failing?.dataReadiness == .failed(kCMSampleBufferError_DataFailed))
    }
}
