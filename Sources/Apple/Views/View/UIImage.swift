import Foundation

/// An encoded picture, stored unchanged, or an empty picture.
///
/// The picture is not decoded: ``size`` comes from its header, and ``pngData()`` and
/// ``jpegData(compressionQuality:)`` return the original bytes if they have that format.
open class UIImage: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Width and height in points: pixels divided by ``scale``. A rotation tag in the file is ignored.
    public let size: CGSize
    /// Pixels per point.
    public let scale: CGFloat
    private let data: Data
    /// The format; `nil` for the empty picture.
    private let kind: ImageHeader.Kind?

    /// Creates an empty picture of zero size.
    public override init() {
        (size, scale, data, kind) = (.zero, 1, Data(), nil)
        super.init()
    }

    /// Creates a picture with one pixel per point.
    ///
    /// - Returns: `nil` unless `data` begins like a JPEG or PNG picture and declares its size.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    /// Creates a picture like ``init(data:)`` with a given scale.
    ///
    /// - Parameter scale: Pixels per point; the result is `nil` unless it is finite and above 0.
    public init?(data: Data, scale: CGFloat) {
        guard let header = ImageHeader(data), scale > 0, scale.isFinite else { return nil }
        size = CGSize(width: CGFloat(header.width) / scale, height: CGFloat(header.height) / scale)
        self.scale = scale
        self.data = data
        kind = header.kind
        super.init()
    }

    /// Creates a picture like ``init(data:)`` from a file; blocks while reading it. `nil` too if the file
    /// cannot be read.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// Creates a picture like ``init(data:)`` from the main bundle's resources; `nil` if no resource has this
    /// name.
    ///
    /// - Parameter name: A file name; without an extension, `png`, `jpg` and `jpeg` are tried. There are no
    ///   asset catalogs.
    public convenience init?(named name: String) {
        let path = [nil, "png", "jpg", "jpeg"].lazy.compactMap { kind in
            Bundle.main.path(forResource: name, ofType: kind)
        }.first
        guard let path else { return nil }
        self.init(contentsOfFile: path)
    }

    /// Always returns `nil`: Apple's system symbols do not exist here.
    public convenience init?(systemName name: String) { nil }

    /// Returns the picture's bytes if it is a PNG; converts nothing.
    open func pngData() -> Data? { kind == .png ? data : nil }

    /// Returns the picture's bytes if it is a JPEG; converts nothing.
    ///
    /// - Parameter compressionQuality: No effect.
    open func jpegData(compressionQuality: CGFloat) -> Data? { kind == .jpeg ? data : nil }

    /// The original bytes, JPEG or PNG; empty for the empty picture.
    package var encodedData: Data { data }
}
