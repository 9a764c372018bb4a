/// How a picture fills the bounds of its layer.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// As large as it fits; its shape stays.
    public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
    /// Fills the bounds, cut at the edges; its shape stays.
    public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
    /// Fills the bounds, stretched.
    public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")
}

/// As large as it fits.
@available(*, deprecated, renamed: "AVLayerVideoGravity.resizeAspect")
public let AVLayerVideoGravityResizeAspect = AVLayerVideoGravity.resizeAspect
/// Fills the bounds, cut at the edges.
@available(*, deprecated, renamed: "AVLayerVideoGravity.resizeAspectFill")
public let AVLayerVideoGravityResizeAspectFill = AVLayerVideoGravity.resizeAspectFill
/// Fills the bounds, stretched.
@available(*, deprecated, renamed: "AVLayerVideoGravity.resize")
public let AVLayerVideoGravityResize = AVLayerVideoGravity.resize
