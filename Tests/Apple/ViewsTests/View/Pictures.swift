import Foundation

/// Minimal one-color pictures: only their headers are valid.
enum Pictures {
    static func png(width: Int, height: Int) -> Data {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        bytes += "IHDR".utf8
        for number in [width, height] { bytes += (0..<4).map { UInt8(number >> (24 - 8 * $0) & 0xFF) } }
        return Data(bytes + [8, 2, 0, 0, 0, 1, 2, 3, 4])
    }

    /// - Parameter marker: The frame's marker: 0xC0 is baseline, 0xC2 progressive.
    static func jpeg(width: Int, height: Int, marker: UInt8 = 0xC0, thumbnail: Data = Data()) -> Data {
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8)
        bytes += [1, 1, 0, 0, 1, 0, 1, 0, 0]
        let length = thumbnail.count + 2
        bytes += [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + Array(thumbnail)
        // A table, with fill bytes before it.
        bytes += [0xFF, 0xFF, 0xFF, 0xC4, 0, 4, 1, 2]
        bytes += [0xFF, marker, 0, 11, 8]
        for number in [height, width] { bytes += [UInt8(number >> 8), UInt8(number & 0xFF)] }
        return Data(bytes + [1, 1, 0x11, 0, 0xFF, 0xD9])
    }
}
