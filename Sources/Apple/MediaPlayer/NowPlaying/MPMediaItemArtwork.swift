import Synchronization
import TuttiViews

/// An item's artwork, rendered on demand at the requested size.
open class MPMediaItemArtwork: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// The largest available size, at origin zero.
    open private(set) var bounds: CGRect
    private let requestHandler: @Sendable (CGSize) -> UIImage

    /// - Parameters:
    ///   - boundsSize: The largest available size.
    ///   - requestHandler: Called on any thread with the requested size; returns the image.
    @preconcurrency
    public init(boundsSize: CGSize, requestHandler: @escaping @Sendable (CGSize) -> UIImage) {
        bounds = CGRect(origin: .zero, size: boundsSize)
        self.requestHandler = requestHandler
        super.init()
    }

    /// Creates artwork of one size.
    @available(*, deprecated, message: "use init(boundsSize:requestHandler:)")
    public convenience init(image: UIImage) { self.init(boundsSize: image.size) { _ in image } }

    /// Returns the image for a size; the program may return an image of another size.
    open func image(at size: CGSize) -> UIImage? { requestHandler(size) }

    /// The size requested for displays: at most ``displaySide`` on the longer side, with the artwork's aspect
    /// ratio.
    var displaySize: CGSize {
        let longest = max(bounds.width, bounds.height)
        guard longest.isFinite, longest > 0 else {
            return CGSize(width: Self.displaySide, height: Self.displaySide)
        }
        let share = min(1, Self.displaySide / longest)
        return CGSize(
            width: (bounds.width * share).rounded(), height: (bounds.height * share).rounded())
    }

    /// Maximum side in points for speakers with a display (*reported*: some refuse larger images).
    private static let displaySide: CGFloat = 600
}
