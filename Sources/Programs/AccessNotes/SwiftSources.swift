import Foundation

/// A source that cannot be read, with a reason for the user.
struct SwiftSourceError: Error, Equatable {
    let path: String
    let reason: String
}

/// Functions to find and read Swift sources.
enum SwiftSources {
    /// The most bytes of a source, which is held in memory; no real source is as large.
    static let largestByteCount = 32 << 20

    /// Returns the files at the given paths: a file itself, or all `.swift` files in a folder and its
    /// subfolders, sorted. Skips hidden files and folders, such as `.build`, and duplicates.
    static func files(at paths: [String]) throws(SwiftSourceError) -> [String] {
        var files: [String] = []
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw SwiftSourceError(path: path, reason: "is not there")
            }
            files += isFolder.boolValue ? inFolder(path) : [path]
        }
        var seen: Set<String> = []
        return files.filter { seen.insert($0).inserted }
    }

    private static func inFolder(_ path: String) -> [String] {
        guard let names = FileManager.default.enumerator(atPath: path) else { return [] }
        var found: [String] = []
        while let name = names.nextObject() as? String {
            if name.split(separator: "/").last?.hasPrefix(".") == true {
                names.skipDescendants()
            } else if name.hasSuffix(".swift") {
                found.append(path.hasSuffix("/") ? path + name : path + "/" + name)
            }
        }
        return found.sorted()
    }

    /// Reads the text of one file.
    static func read(_ path: String) throws(SwiftSourceError) -> String {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw SwiftSourceError(path: path, reason: "cannot be read")
        }
        defer { try? handle.close() }  // Nothing was written, so nothing can be lost.
        let data: Data?
        do {
            data = try handle.read(upToCount: largestByteCount + 1)
        } catch {
            throw SwiftSourceError(path: path, reason: "cannot be read")
        }
        guard let data else { return "" }
        guard data.count <= largestByteCount else {
            throw SwiftSourceError(path: path, reason: "is larger than \(largestByteCount >> 20) MiB")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw SwiftSourceError(path: path, reason: "is not UTF-8")
        }
        return text
    }
}
