import Foundation

/// An encoded picture, kept as it came, or no picture.
///
/// It is not decoded: its size is read from its header, and ``pngData()`` and ``jpegData(compressionQuality:)``
/// give the bytes it was made of when they are of that kind.
open class UIImage: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Width and height in pixels, divided by ``scale``. A rotation that the picture asks for is not applied.
    public let size: CGSize
    /// Pixels for each point.
    public let scale: CGFloat
    private let data: Data
    /// `nil` for no picture.
    private let kind: ImageHeader.Kind?

    /// No picture: its size is zero and it has no data.
    public override init() {
        (size, scale, data, kind) = (.zero, 1, Data(), nil)
        super.init()
    }

    /// - Returns: `nil` unless `data` begins like a JPEG or PNG picture and says its size.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    /// As ``init(data:)``, for a screen with more pixels.
    ///
    /// - Parameter scale: pixels for each point; the result is `nil` unless it is finite and above 0.
    public init?(data: Data, scale: CGFloat) {
        guard let header = ImageHeader(data), scale > 0, scale.isFinite else { return nil }
        size = CGSize(width: CGFloat(header.width) / scale, height: CGFloat(header.height) / scale)
        self.scale = scale
        self.data = data
        kind = header.kind
        super.init()
    }

    /// As ``init(data:)``, from a file, which is read before this returns; `nil` too when it cannot be read.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// As ``init(data:)``, from the main bundle's resources; `nil` where none has this name.
    ///
    /// - Parameter name: of a file; without an extension, `png`, `jpg` and `jpeg` are tried. There are no asset catalogs.
    public convenience init?(named name: String) {
        let path = [nil, "png", "jpg", "jpeg"].lazy.compactMap { kind in
            Bundle.main.path(forResource: name, ofType: kind)
        }.first
        guard let path else { return nil }
        self.init(contentsOfFile: path)
    }

    /// Always `nil`: the system's symbols do not exist here.
    public convenience init?(systemName name: String) { nil }

    /// The picture's bytes if it is a PNG; nothing is converted.
    open func pngData() -> Data? { kind == .png ? data : nil }

    /// The picture's bytes if it is a JPEG; nothing is converted.
    ///
    /// - Parameter compressionQuality: has no effect.
    open func jpegData(compressionQuality: CGFloat) -> Data? { kind == .jpeg ? data : nil }

    /// The bytes the picture was made of, JPEG or PNG; empty for no picture.
    package var encodedData: Data { data }
}
