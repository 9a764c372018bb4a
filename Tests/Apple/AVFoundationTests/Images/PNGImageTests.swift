import Foundation
import Testing
import TuttiCodecs
import TuttiTestMedia

@testable import AVFoundation

@Suite("Images as PNG")
struct PNGImageTests {
    @Test("an image is written as PNG with the same pixels")
    func png() async throws {
        var film = FilmFile("ffv1")
        (film.pixelFormat, film.width, film.height, film.pictureCount) = ("yuv444p", 33, 17, 1)
        film.samples = [FilmFile.Samples(100, 60, 200)]
        let folder = try TestFolder()
        try film.write(to: folder.file("a.mkv"))
        let asset = AVURLAsset(url: URL(fileURLWithPath: folder.file("a.mkv")))
        let image = try await AVAssetImageGenerator(asset: asset).image(at: .zero).image
        let bytes = Array(try image.tuttiPNG())
        #expect(bytes.starts(with: [0x89] + Array("PNG".utf8)))
        let parameters = try #require(
            VideoStreamParameters(codecName: "png", width: 33, height: 17, configuration: []))
        let decoder = try VideoDecoder(parameters, threads: 1, hardware: false)
        let packet = try #require(bytes.withUnsafeBytes { VideoPacket($0, presentationTime: 0, isKey: true) })
        let frame = try #require((decoder.decode(packet) + decoder.drain()).first)
        #expect((frame.width, frame.height) == (33, 17) && frame.layout == .rgb24)
        let plane = try #require(frame.planes.first)
        let pixel = image.pixel(x: 0, y: 0)
        for y in 0..<17 {
            let row = plane.address + y * plane.bytesPerRow
            for x in 0..<33 {
                let found = (0..<3).map { row.load(fromByteOffset: 3 * x + $0, as: UInt8.self) }
                #expect(found == pixel.reversed())
            }
        }
    }

    @Test("every order of bytes becomes the same PNG, and others are refused")
    func pngOrders() throws {
        func image(_ bytes: [UInt8], _ alpha: CGImageAlphaInfo, _ order: CGImageByteOrderInfo, bits: Int = 8)
            -> CGImage?
        {
            CGImage(
                width: 1, height: 1, bitsPerComponent: bits, bitsPerPixel: bytes.count * 8,
                bytesPerRow: bytes.count,
                space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo(alpha: alpha, byteOrder: order),
                provider: CGDataProvider(Data(bytes)), decode: nil, shouldInterpolate: false,
                intent: .defaultIntent)
        }
        let forms: [([UInt8], CGImageAlphaInfo, CGImageByteOrderInfo)] = [
            ([10, 20, 30], .none, .orderDefault), ([10, 20, 30, 9], .noneSkipLast, .orderDefault),
            ([9, 10, 20, 30], .noneSkipFirst, .order32Big),
            ([30, 20, 10, 9], .premultipliedFirst, .order32Little),
            ([9, 30, 20, 10], .last, .order32Little),
        ]
        let files = try forms.map { try #require(image($0.0, $0.1, $0.2)).tuttiPNG() }
        #expect(Set(files).count == 1)
        let wide = try #require(image([0, 0, 0, 0, 0, 0], .none, .orderDefault, bits: 16))
        let error = #expect(throws: AVError.self) { try wide.tuttiPNG() }
        #expect(error?.code == .encodeFailed)
    }
}
