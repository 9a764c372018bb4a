/// A way to fit a picture into the bounds of its layer.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
    /// The name of the gravity.
    public let rawValue: String

    /// Creates the gravity of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Fits the whole picture into the bounds; preserves the aspect ratio.
    public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
    /// Fills the bounds and crops the picture; preserves the aspect ratio.
    public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
    /// Stretches the picture to fill the bounds.
    public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")
}

/// Fits the whole picture into the bounds.
@available(*, deprecated, renamed: "AVLayerVideoGravity.resizeAspect")
public let AVLayerVideoGravityResizeAspect = AVLayerVideoGravity.resizeAspect
/// Fills the bounds and crops the picture.
@available(*, deprecated, renamed: "AVLayerVideoGravity.resizeAspectFill")
public let AVLayerVideoGravityResizeAspectFill = AVLayerVideoGravity.resizeAspectFill
/// Stretches the picture to fill the bounds.
@available(*, deprecated, renamed: "AVLayerVideoGravity.resize")
public let AVLayerVideoGravityResize = AVLayerVideoGravity.resize
