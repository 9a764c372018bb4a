import AVFoundation
import Synchronization
import Testing
import TuttiTestSupport

@testable import TuttiPlayCommand

@Suite("The way of a film's pictures to its window")
struct FilmSinkTests {
    private final class Window: TuttiVideoFrameSink {
        let times = Mutex<[Double]>([])
        let texts = Mutex<[[TuttiSubtitle]]>([])
        let removals = Mutex(0)
        var leadTime: Duration { .milliseconds(7) }
        func show(_ frame: CMSampleBuffer) {
            times.withLock { $0.append(frame.presentationTimeStamp.seconds) }
        }
        func show(_ subtitles: [TuttiSubtitle]) { texts.withLock { $0.append(subtitles) } }
        func removeImage() { removals.withLock { $0 += 1 } }
    }

    private func frame(_ seconds: Int64) throws -> CMSampleBuffer {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, 16, 16, kCVPixelFormatType_32BGRA, nil, &buffer)
        let picture = try #require(buffer)
        return try CMSampleBuffer(
            imageBuffer: picture, formatDescription: CMFormatDescription(imageBuffer: picture),
            sampleTiming: CMSampleTimingInfo(
                duration: .invalid, presentationTimeStamp: CMTime(value: seconds, timescale: 1),
                decodeTimeStamp: .invalid))
    }

    @Test("the window gets the last picture of those before it opened, then each that follows")
    func kept() throws {
        let (sink, window) = (FilmSink(), Window())
        #expect(sink.leadTime == .zero)
        for second in 1...3 { sink.show(try frame(Int64(second))) }
        sink.attach(window)
        #expect(window.times.withLock { $0 } == [3] && sink.leadTime == .milliseconds(7))
        sink.show(try frame(4), at: .invalid)
        #expect(window.times.withLock { $0 } == [3, 4])
        #expect(window.texts.withLock { $0 }.isEmpty)
        sink.removeImage()
        #expect(window.removals.withLock { $0 } == 1)
    }

    @Test("a picture that was removed before the window is open is not shown")
    func removed() throws {
        let (sink, window) = (FilmSink(), Window())
        sink.show(try frame(1))
        sink.removeImage()
        sink.attach(window)
        #expect(window.times.withLock { $0 }.isEmpty)
    }

    @Test("notices go to their handler")
    func notices() {
        let sink = FilmSink()
        let notes = Recorder<[TuttiPictureNotice]>([])
        sink.note(.failed("before anybody listens"))
        sink.setNoticeHandler { notice in notes.update { $0.append(notice) } }
        sink.note(.decodedInSoftware(codec: "h264"))
        #expect(notes.value == [.decodedInSoftware(codec: "h264")])
    }
}
