import CTuttiFFmpeg
import Testing
import TuttiTestMedia

@testable import TuttiCodecs

@Suite("Pictures whose last row comes first in memory")
struct TurnedPicturesTests {
    private func picture() throws -> (VideoFrame, VideoStreamParameters) {
        let reader = try VideoReader(try FilmFile.path("closed.mp4"))
        let decoder = try VideoDecoder(reader.parameters)
        while let packet = try reader.nextPacket() {
            if let frame = decoder.decode(packet).first { return (frame, reader.parameters) }
        }
        return (try #require(decoder.drain().first), reader.parameters)
    }

    /// The same memory, read from the last row to the first.
    private func turned(_ picture: VideoFrame, _ parameters: VideoStreamParameters) throws -> VideoFrame {
        var frame: UnsafeMutablePointer<AVFrame>? = av_frame_clone(picture.frame)
        defer { av_frame_free(&frame) }
        let copy = try #require(frame)
        let planes = picture.planes
        withUnsafeMutableBytes(of: &copy.pointee.data) { data in
            let rows = data.bindMemory(to: UnsafeMutableRawPointer?.self)
            for (index, plane) in planes.enumerated() {
                rows[index] = plane.address + (plane.height - 1) * plane.bytesPerRow
            }
        }
        withUnsafeMutableBytes(of: &copy.pointee.linesize) { steps in
            let steps = steps.bindMemory(to: Int32.self)
            for (index, plane) in planes.enumerated() { steps[index] = -Int32(plane.bytesPerRow) }
        }
        return try #require(VideoFrame(taking: copy, of: parameters))
    }

    private func rows(_ picture: VideoFrame) throws -> [[UInt8]] {
        let step = picture.width * 4
        var bytes = [UInt8](repeating: 0, count: step * picture.height)
        try bytes.withUnsafeMutableBytes { memory in
            let plane = PicturePlane(
                address: try #require(memory.baseAddress), width: picture.width, height: picture.height,
                bytesPerRow: step)
            try PictureConverter().convert(
                picture, to: .bgra, width: picture.width, height: picture.height, into: [plane])
        }
        return stride(from: 0, to: bytes.count, by: step).map { Array(bytes[$0..<$0 + step]) }
    }

    @Test("have no planes of their own, and are converted")
    func converted() throws {
        let (picture, parameters) = try picture()
        let turned = try turned(picture, parameters)
        #expect(picture.hasAllPlanes && !turned.hasAllPlanes)
        let (rows, found) = (try rows(picture), try rows(turned))
        #expect(rows != rows.reversed() && found.count == rows.count)
        // Colours are taken over from the other side at the edges.
        let differences = zip(rows.reversed(), found).map { row, other in
            zip(row, other).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
        }
        #expect(differences.max() ?? 255 <= 48)
    }
}
