import TuttiCodecs

/// A picture of a film as a test sees it: its number and its time.
package struct SeenPicture: Hashable, Sendable, CustomStringConvertible {
    /// The number in the picture; `nil` if it cannot be read.
    package var number: Int?
    /// The time in the stream's units.
    package var time: Int64?

    package init(number: Int?, time: Int64?) { (self.number, self.time) = (number, time) }

    package var description: String {
        "#\(number.map(String.init) ?? "?") at \(time.map(String.init) ?? "?")"
    }
}

/// A reader of the numbers in pictures. Not thread-safe.
package final class FilmReading {
    private let converter = PictureConverter()
    private var memory: [UInt8] = []

    package init() {}

    /// Returns the number in a picture; `nil` if it cannot be read.
    package func number(of frame: VideoFrame) throws -> Int? {
        let (width, height) = (frame.width, frame.height)
        let step = (width + 63) / 64 * 64
        memory = [UInt8](repeating: 0, count: step * height + 64)
        try memory.withUnsafeMutableBytes { bytes in
            guard let address = bytes.baseAddress else { return }
            try converter.convert(
                frame, to: .gray(isFullRange: true), width: width, height: height,
                into: [PicturePlane(address: address, width: width, height: height, bytesPerRow: step)])
        }
        return FilmPattern.number { x, y in
            Double(memory[Int(y * Double(height)) * step + Int(x * Double(width))]) / 255
        }
    }

    /// Returns what is seen of a picture.
    package func seen(_ frame: VideoFrame) throws -> SeenPicture {
        SeenPicture(number: try number(of: frame), time: frame.time)
    }

    /// Decodes from the reader's place to the end.
    package func rest(_ reader: VideoReader, _ decoder: VideoDecoder) throws -> [SeenPicture] {
        var pictures: [SeenPicture] = []
        while let packet = try reader.nextPacket() {
            for frame in decoder.decode(packet) { pictures.append(try seen(frame)) }
        }
        for frame in decoder.drain() { pictures.append(try seen(frame)) }
        return pictures
    }

    /// Decodes a whole film.
    package func film(_ path: String) throws -> [SeenPicture] {
        let reader = try VideoReader(path)
        return try rest(reader, try VideoDecoder(reader.parameters, hardware: false))
    }
}
