import Foundation
import KeyValueObserving
import Synchronization

/// A rectangle in a tree of rectangles: what a program needs to say where its picture goes.
///
/// Nothing is drawn here; a host toolkit that shows pictures reads the geometry. Any thread.
open class CALayer: NSObject, @unchecked Sendable {
    // Safe to share: both parts of the state are only touched with a lock held.

    private struct Geometry {
        var bounds = CGRect.zero
        var position = CGPoint.zero
        var anchorPoint = CGPoint(x: 0.5, y: 0.5)
        var zPosition: CGFloat = 0
        var opacity: Float = 1
        var isHidden = false
        var masksToBounds = false
        var name: String?
    }

    private struct Place {
        var sublayers: [CALayer] = []
        weak var superlayer: CALayer?
    }

    /// One lock for all trees, as a move concerns two of them.
    private static let treeLock = NSLock()

    private let geometry = Mutex(Geometry())
    private var place = Place()

    /// An empty layer at the origin.
    public override init() { super.init() }

    // MARK: Geometry

    /// Where the layer is in its superlayer; changes ``position`` and the size of ``bounds``.
    open var frame: CGRect {
        get {
            geometry.withLock { geometry in
                let (size, anchor) = (geometry.bounds.size, geometry.anchorPoint)
                return CGRect(
                    x: geometry.position.x - anchor.x * size.width,
                    y: geometry.position.y - anchor.y * size.height, width: size.width, height: size.height)
            }
        }
        set {
            geometry.withLock { geometry in
                geometry.bounds.size = newValue.size
                geometry.position = CGPoint(
                    x: newValue.origin.x + geometry.anchorPoint.x * newValue.size.width,
                    y: newValue.origin.y + geometry.anchorPoint.y * newValue.size.height)
            }
        }
    }

    /// The layer in its own coordinates.
    open var bounds: CGRect {
        get { geometry.withLock { $0.bounds } }
        set { geometry.withLock { $0.bounds = newValue } }
    }

    /// Where ``anchorPoint`` is in the superlayer.
    open var position: CGPoint {
        get { geometry.withLock { $0.position } }
        set { geometry.withLock { $0.position = newValue } }
    }

    /// The point of the layer that ``position`` places, 0 ... 1 in both directions; the middle at first.
    open var anchorPoint: CGPoint {
        get { geometry.withLock { $0.anchorPoint } }
        set { geometry.withLock { $0.anchorPoint = newValue } }
    }

    /// How far in front of its siblings the layer is.
    open var zPosition: CGFloat {
        get { geometry.withLock { $0.zPosition } }
        set { geometry.withLock { $0.zPosition = newValue } }
    }

    // MARK: Appearance

    /// 0, not to be seen, to 1.
    open var opacity: Float {
        get { geometry.withLock { $0.opacity } }
        set { geometry.withLock { $0.opacity = newValue } }
    }

    /// Whether the layer and all in it are not to be seen.
    open var isHidden: Bool {
        get { geometry.withLock { $0.isHidden } }
        set { geometry.withLock { $0.isHidden = newValue } }
    }

    /// Whether sublayers end at the bounds.
    open var masksToBounds: Bool {
        get { geometry.withLock { $0.masksToBounds } }
        set { geometry.withLock { $0.masksToBounds = newValue } }
    }

    /// A name for the program's own use.
    open var name: String? {
        get { geometry.withLock { $0.name } }
        set { geometry.withLock { $0.name = newValue } }
    }

    // MARK: Tree

    /// The layers in this one, the rearmost first; `nil` if there are none.
    open var sublayers: [CALayer]? {
        Self.treeLock.withLock { place.sublayers.isEmpty ? nil : place.sublayers }
    }

    /// The layer that this one is in.
    open var superlayer: CALayer? { Self.treeLock.withLock { place.superlayer } }

    /// Puts a layer into this one, in front of all others; it leaves the layer it was in.
    open func addSublayer(_ layer: CALayer) { insertSublayer(layer, at: .max) }

    /// Puts a layer into this one so that `index` others are behind it.
    open func insertSublayer(_ layer: CALayer, at index: UInt32) {
        let isPossible = Self.treeLock.withLock {
            guard !layer.contains(self) else { return false }
            layer.leave()
            place.sublayers.insert(layer, at: min(Int(index), place.sublayers.count))
            layer.place.superlayer = self
            return true
        }
        isRightUse(isPossible, "a layer cannot be put into itself")
    }

    /// Takes the layer out of the one it is in.
    open func removeFromSuperlayer() { Self.treeLock.withLock { leave() } }

    /// Only with the tree's lock held.
    private func leave() {
        place.superlayer?.place.sublayers.removeAll { $0 === self }
        place.superlayer = nil
    }

    /// Whether a layer is this one or in it. Only with the tree's lock held.
    private func contains(_ layer: CALayer) -> Bool {
        var next: CALayer? = layer
        while let current = next {
            if current === self { return true }
            next = current.place.superlayer
        }
        return false
    }
}
