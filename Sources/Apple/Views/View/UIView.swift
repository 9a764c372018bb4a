import Foundation
import TuttiKeyValueObserving

/// A rectangle in a tree of rectangles: the part of UIKit's view that the views of AVKit and MediaPlayer
/// need.
///
/// Draws nothing. A host toolkit reads the tree and shows it in its own way, or ignores it.
@preconcurrency @MainActor
open class UIView: NSObject {
    /// Position and size in the superview. Setting it sets the size of ``bounds``.
    open var frame: CGRect {
        get {
            CGRect(
                x: center.x - bounds.width / 2, y: center.y - bounds.height / 2, width: bounds.width,
                height: bounds.height)
        }
        set {
            bounds.size = newValue.size
            center = CGPoint(x: newValue.midX, y: newValue.midY)
        }
    }

    /// The view's own coordinates. Changing the size keeps ``center``.
    open var bounds: CGRect
    /// The center, in the superview's coordinates.
    open var center: CGPoint

    /// Whether the view and its subviews are invisible. Stored for the host toolkit.
    open var isHidden = false
    /// The opacity, from 0, invisible, to 1, opaque; other values are clamped.
    open var alpha: CGFloat = 1 {
        didSet { alpha = alpha.isNaN ? 1 : max(0, min(alpha, 1)) }
    }
    /// Whether the view accepts touches. Stored for the host toolkit.
    open var isUserInteractionEnabled = true
    /// The background color; `nil` for none. Stored for the host toolkit.
    open var backgroundColor: UIColor?
    /// A number for the program's own use; the library never reads it.
    open var tag = 0

    /// The color of interactive elements; without its own color, a view inherits the superview's.
    open var tintColor: UIColor! {
        get { ownTintColor ?? superview?.tintColor ?? .systemBlue }
        set {
            ownTintColor = newValue
            tintColorDidChange()
        }
    }
    private var ownTintColor: UIColor?

    /// The view that contains this view; `nil` if there is none.
    open private(set) weak var superview: UIView?
    /// The contained views, from back to front.
    open private(set) var subviews: [UIView] = []

    /// Creates a view without superview and subviews.
    ///
    /// - Parameter frame: The position and size in the superview, in points.
    public init(frame: CGRect) {
        bounds = CGRect(origin: .zero, size: frame.size)
        center = CGPoint(x: frame.midX, y: frame.midY)
        super.init()
    }

    /// Creates a view like ``init(frame:)`` with an empty frame.
    public override convenience init() { self.init(frame: .zero) }

    /// Creates an empty view: views are not archived here.
    public required init?(coder: NSCoder) {
        (bounds, center) = (.zero, .zero)
        super.init()
    }

    /// Adds a view in front of the other subviews, after removing it from its current superview.
    open func addSubview(_ view: UIView) { insertSubview(view, at: .max) }

    /// Inserts a view at an index, after removing it from its current superview.
    ///
    /// - Parameter index: The position, clamped to the subviews.
    open func insertSubview(_ view: UIView, at index: Int) {
        guard checkAPIUse(!view.isAncestorOrSelf(of: self), "a view cannot be inside itself") else { return }
        view.removeFromSuperview()
        subviews.insert(view, at: max(0, min(index, subviews.count)))
        view.superview = self
        view.didMoveToSuperview()
    }

    /// Removes the view from its superview. Does nothing without a superview.
    open func removeFromSuperview() {
        guard let old = superview else { return }
        old.subviews.removeAll { $0 === self }
        superview = nil
        didMoveToSuperview()
    }

    /// Returns whether this view is `view`, or inside it.
    open func isDescendant(of view: UIView) -> Bool { view.isAncestorOrSelf(of: self) }

    private func isAncestorOrSelf(of view: UIView) -> Bool {
        var next: UIView? = view
        while let current = next {
            if current === self { return true }
            next = current.superview
        }
        return false
    }

    // MARK: For subclasses

    /// Called after the superview changed, possibly to `nil`.
    open func didMoveToSuperview() {}
    /// Called after ``tintColor`` was set.
    open func tintColorDidChange() {}
    /// Requests a new layout of the subviews; performed immediately here.
    open func setNeedsLayout() { layoutSubviews() }
    /// Lays out the subviews; does nothing here.
    open func layoutSubviews() {}
    /// Returns the best size for the view within `size`; here the current size.
    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }
    /// Resizes the view to its best size.
    open func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }
}
