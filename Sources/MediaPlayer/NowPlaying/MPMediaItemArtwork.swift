import Synchronization
import Views

/// A picture of an item, made when and as large as it is needed.
open class MPMediaItemArtwork: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// The largest size there is.
    open private(set) var bounds: CGRect
    private let requestHandler: @Sendable (CGSize) -> UIImage

    /// - Parameters:
    ///   - boundsSize: the largest size there is.
    ///   - requestHandler: called on any thread for each picture that is needed, with its size.
    @preconcurrency
    public init(boundsSize: CGSize, requestHandler: @escaping @Sendable (CGSize) -> UIImage) {
        bounds = CGRect(origin: .zero, size: boundsSize)
        self.requestHandler = requestHandler
        super.init()
    }

    /// Artwork of one size.
    @available(*, deprecated, message: "use init(boundsSize:requestHandler:)")
    public convenience init(image: UIImage) { self.init(boundsSize: image.size) { _ in image } }

    /// The picture, made for this size; what the program gives may have another.
    open func image(at size: CGSize) -> UIImage? { requestHandler(size) }

    /// The size asked for on behalf of the surfaces: no larger than their displays, in the picture's proportions.
    var displaySize: CGSize {
        let longest = max(bounds.width, bounds.height)
        guard longest.isFinite, longest > 0 else {
            return CGSize(width: Self.displaySide, height: Self.displaySide)
        }
        let share = min(1, Self.displaySide / longest)
        return CGSize(
            width: (bounds.width * share).rounded(), height: (bounds.height * share).rounded())
    }

    /// Points. What speakers with a display show (*reported*: larger ones are refused by some).
    private static let displaySide: CGFloat = 600
}
