import CTuttiFFmpeg
import Foundation

extension FilmFile {
    /// Whether FFmpeg tells where edit lists end a film; FFmpeg 7.1 tells the end of the longest track (*observed*).
    package static var tellsTrimmedEnd: Bool { avformat_version() >> 16 < 60 }

    /// Writes edit lists into an MP4 file that present a part of it alone, as programs do that trim films; the samples stay.
    ///
    /// - Parameters:
    ///   - path: A file with one edit of each track, as ``write(to:)`` makes it of pictures with B-frames and of AAC.
    ///   - start: The part's start, in milliseconds.
    ///   - end: The part's end, in milliseconds.
    package static func trim(_ path: String, from start: Int, to end: Int) throws {
        var bytes = try TestFolder.bytes(of: path)
        func find(_ name: String, from offset: Int = 0) -> Int? {
            bytes[offset...].indices.first { bytes[$0...].starts(with: name.utf8) }
        }
        func number(at offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        func set(_ value: Int, at offset: Int) {
            for index in 0..<4 {
                bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index))
            }
        }
        // Offsets from a box's name, in version 0: ISO/IEC 14496-12, 8.2.2, 8.3.2, 8.4.2 and 8.6.6.
        guard let movie = find("mvhd"), bytes[movie + 4] == 0 else { throw TrimError() }
        let length = (end - start) * number(at: movie + 16) / 1000
        set(length, at: movie + 20)
        var place = movie
        while let track = find("trak", from: place) {
            guard let header = find("tkhd", from: track), let list = find("elst", from: track),
                let media = find("mdhd", from: track), list < media, number(at: list + 8) == 1,
                bytes[header + 4] == 0, bytes[list + 4] == 0, bytes[media + 4] == 0
            else { throw TrimError() }
            set(length, at: header + 24)
            set(length, at: list + 12)
            set(number(at: list + 16) + start * number(at: media + 16) / 1000, at: list + 16)
            place = media
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private struct TrimError: Error {}
}
