import Foundation

/// A temporary folder with files, removed when this object is released.
package final class MusicFolder {
    /// The path of the folder.
    package let path: String

    /// Makes an empty folder.
    package init() throws {
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent("music-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }  // What remains is in the temporary folder.

    /// Writes a file, and the folders of its path.
    ///
    /// - Returns: The path of the file.
    @discardableResult
    package func add(_ name: String, _ bytes: [UInt8] = []) throws -> String {
        let url = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }
}
