import TuttiHTTPService

/// The pages of the web remote, embedded in the program.
///
/// A new file in `Pages` needs a line here; a test compares the table with the folder.
struct PageTable: Sendable {
    /// A file and its version.
    struct Page: Sendable {
        let type: String
        let bytes: [UInt8]
        let tag: EntityTag
    }

    private let pages: [String: Page]

    init(_ files: [(name: String, bytes: [UInt8])] = PageTable.files) {
        var pages: [String: Page] = [:]
        for file in files {
            let type = Self.type(of: file.name)
            pages[file.name] = Page(type: type, bytes: file.bytes, tag: EntityTag(of: file.bytes))
        }
        self.pages = pages
    }

    /// The names of all files.
    var names: Set<String> { Set(pages.keys) }

    /// Returns the page at a path; `/` is `index.html`.
    func page(at path: [String]) -> Page? {
        pages[path.isEmpty ? "index.html" : path.joined(separator: "/")]
    }

    /// Returns the media type of a file name.
    static func type(of name: String) -> String {
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        return types[ending] ?? "application/octet-stream"
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "json": "application/json", "webmanifest": "application/manifest+json", "woff2": "font/woff2",
        "txt": "text/plain; charset=utf-8",
    ]
}
