import Foundation

/// A folder of its own that goes away with this object, and sound files in it.
final class MusicFolder {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent("music-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }  // what stays is in the temporary folder

    @discardableResult
    func add(_ name: String, _ bytes: [UInt8] = []) throws -> String {
        let url = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    /// Stereo of 16 bit at 44.1 kHz; sample n of both channels is `first + n`, so that every frame differs.
    func addWave(_ name: String, frameCount: Int, first: Int = 0) throws -> String {
        let samples = (first..<first + frameCount).flatMap { frame -> [UInt8] in
            let (low, high) = (UInt8(truncatingIfNeeded: frame), UInt8(truncatingIfNeeded: frame >> 8))
            return [low, high, low, high]
        }
        func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let format = word(16) + [1, 0, 2, 0] + word(44_100) + word(176_400) + [4, 0, 16, 0]
        let content = Array("WAVEfmt ".utf8) + format + Array("data".utf8) + word(samples.count) + samples
        return try add(name, Array("RIFF".utf8) + word(content.count) + content)
    }
}
