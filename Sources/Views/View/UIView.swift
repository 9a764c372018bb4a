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

    open var isHidden = false
    /// 0 is invisible, 1 is opaque; other values are held inside.
    open var alpha: CGFloat = 1 {
        didSet { alpha = alpha.isNaN ? 1 : max(0, min(alpha, 1)) }
    }
    open var isUserInteractionEnabled = true
    open var backgroundColor: UIColor?
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

    open private(set) weak var superview: UIView?
    /// From back to front.
    open private(set) var subviews: [UIView] = []

    public init(frame: CGRect) {
        bounds = CGRect(origin: .zero, size: frame.size)
        center = CGPoint(x: frame.midX, y: frame.midY)
        super.init()
    }

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
