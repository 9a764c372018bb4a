import AVFoundation
import TuttiTestMedia
import TuttiTestSupport

/// A sink that reads the number of each picture it gets.
final class PictureRecorder: TuttiVideoFrameSink {
    struct Seen: Equatable {
        var number: Int?
        var time: CMTime
    }

    let seen = Recorder<[Seen]>([])
    let texts = Recorder<[[String]]>([])
    let removals = Recorder(0)
    let notices = Recorder<[TuttiPictureNotice]>([])
    let gravities = Recorder<[AVLayerVideoGravity]>([])
    let awake = Recorder<[Bool]>([])

    func show(_ frame: CMSampleBuffer) {
        let number = frame.imageBuffer.flatMap(Self.number)
        seen.update { $0.append(Seen(number: number, time: frame.presentationTimeStamp)) }
    }

    func show(_ subtitles: [TuttiSubtitle]) { texts.update { $0.append(subtitles.map(\.text)) } }

    func note(_ notice: TuttiPictureNotice) { notices.update { $0.append(notice) } }

    func setVideoGravity(_ gravity: AVLayerVideoGravity) { gravities.update { $0.append(gravity) } }

    func setKeepsDisplayAwake(_ keepsAwake: Bool) { awake.update { $0.append(keepsAwake) } }

    func removeImage() { removals.update { $0 += 1 } }

    /// Waits until the last picture has a number.
    func wait(for number: Int) async throws {
        _ = try await seen.wait(for: "picture \(number)") { $0.last?.number == number ? true : nil }
    }

    /// Reads the number in a picture's first plane; `nil` if it cannot be read.
    static func number(of buffer: CVPixelBuffer) -> Int? {
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        let isPlanar = CVPixelBufferIsPlanar(buffer)
        let base =
            isPlanar ? CVPixelBufferGetBaseAddressOfPlane(buffer, 0) : CVPixelBufferGetBaseAddress(buffer)
        let step =
            isPlanar ? CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) : CVPixelBufferGetBytesPerRow(buffer)
        let bytesPerPixel = CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA ? 4 : 1
        guard let base else { return nil }
        return FilmPattern.number { x, y in
            let place = Int(y * Double(height)) * step + Int(x * Double(width)) * bytesPerPixel
            return Double(base.load(fromByteOffset: place, as: UInt8.self)) / 255
        }
    }
}
