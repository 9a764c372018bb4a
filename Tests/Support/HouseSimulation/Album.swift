import Foundation

/// Files whose frames count on from one to the next, so that each frame says which of all it is; deleted with this object.
package final class Album: Sendable {
    /// The paths of the files.
    package let paths: [String]
    /// The frames of each file.
    package let frames: [Range<Int>]
    private let folder: String

    /// - Parameter seconds: The length of each file; three and a half minutes in all at most.
    package init(seconds: [Double]) throws {
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent(
                "tutti-album-\(getpid())-\(UUID().uuidString)"
            ).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var paths: [String] = []
        var frames: [Range<Int>] = []
        for (index, seconds) in seconds.enumerated() {
            let first = frames.last?.upperBound ?? 0
            let count = Int(seconds * Double(StampedSound.rate))
            paths.append(folder + "/\(index + 1).wav")
            frames.append(first..<first + count)
            try StampedSound.write(count, from: first, to: paths[index])
        }
        (self.paths, self.frames) = (paths, frames)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }  // leftovers are in the temporary folder
}
