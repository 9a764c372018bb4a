import Foundation
import KeyValueObserving

/// A rectangle in a tree of rectangles: as much of UIKit's view as the views of AVKit and MediaPlayer need.
///
/// Nothing is drawn. A host toolkit reads the tree and shows it in its own way, or ignores it.
@preconcurrency @MainActor
open class UIView: NSObject {
    /// Place and size in the superview. Setting it sets the size of ``bounds``.
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

    /// The view's own coordinates. Setting its size keeps ``center``.
    open var bounds: CGRect
    /// The middle, in the superview.
    open var center: CGPoint

    /// Whether the view, with all inside it, is not to be seen. Kept for the host toolkit.
    open var isHidden = false
    /// 0 is invisible, 1 is opaque; other values are held inside.
    open var alpha: CGFloat = 1 {
        didSet { alpha = alpha.isNaN ? 1 : max(0, min(alpha, 1)) }
    }
    /// Whether the view can be touched. Kept for the host toolkit.
    open var isUserInteractionEnabled = true
    /// The color behind all inside the view; `nil` for none. Kept for the host toolkit.
    open var backgroundColor: UIColor?
    /// A number for the program's own use. Nothing here reads it.
    open var tag = 0

    /// The color of what can be touched; without one of its own, a view has that of its superview.
    open var tintColor: UIColor! {
        get { ownTintColor ?? superview?.tintColor ?? .systemBlue }
        set {
            ownTintColor = newValue
            tintColorDidChange()
        }
    }
    private var ownTintColor: UIColor?

    /// The view that this one is in; `nil` when it is in none.
    open private(set) weak var superview: UIView?
    /// From back to front.
    open private(set) var subviews: [UIView] = []

    /// A view without superview and subviews.
    ///
    /// - Parameter frame: place in the superview, in points.
    public init(frame: CGRect) {
        bounds = CGRect(origin: .zero, size: frame.size)
        center = CGPoint(x: frame.midX, y: frame.midY)
        super.init()
    }

    /// As ``init(frame:)`` with an empty frame.
    public override convenience init() { self.init(frame: .zero) }

    /// Views are not archived here: gives an empty one.
    public required init?(coder: NSCoder) {
        (bounds, center) = (.zero, .zero)
        super.init()
    }

    /// Puts a view in front of the others, taking it from where it was.
    open func addSubview(_ view: UIView) { insertSubview(view, at: .max) }

    /// - Parameter index: held inside the subviews.
    open func insertSubview(_ view: UIView, at index: Int) {
        guard isRightUse(!view.isAncestorOrSelf(of: self), "a view cannot be inside itself") else { return }
        view.removeFromSuperview()
        subviews.insert(view, at: max(0, min(index, subviews.count)))
        view.superview = self
        view.didMoveToSuperview()
    }

    /// Takes the view out of its superview. Does nothing when it is in none.
    open func removeFromSuperview() {
        guard let old = superview else { return }
        old.subviews.removeAll { $0 === self }
        superview = nil
        didMoveToSuperview()
    }

    /// Whether this view is `view`, or inside it.
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

    /// The view has a superview now, or none any more.
    open func didMoveToSuperview() {}
    /// ``tintColor`` was set.
    open func tintColorDidChange() {}
    /// Says that the subviews have to be placed; done at once here.
    open func setNeedsLayout() { layoutSubviews() }
    /// Places the subviews.
    open func layoutSubviews() {}
    /// The size that suits the view inside `size`.
    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }
    /// Gives the view the size that suits it.
    open func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }
}
