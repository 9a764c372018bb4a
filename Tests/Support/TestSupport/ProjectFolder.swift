import Foundation

/// The project's folder, for tests of the files beside the sources.
package enum ProjectFolder {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Returns a file or folder of the project.
    ///
    /// - Parameter path: From the project's folder, as `docs/commands.md`.
    package static func url(of path: String) -> URL { root.appending(path: path).standardized }
}
