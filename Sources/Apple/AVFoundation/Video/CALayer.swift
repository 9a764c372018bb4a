import Foundation
import Synchronization
import TuttiKeyValueObserving

/// A rectangle in a tree of layers that places a picture.
///
/// A layer draws nothing: a host toolkit reads the geometry. Callable from any thread.
open class CALayer: NSObject, @unchecked Sendable {
    // Safe to share: `geometry` has a lock; `place` is touched only with `treeLock` held.

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

    /// One lock for all trees, because moving a layer changes two trees.
    private static let treeLock = NSLock()

    private let geometry = Mutex(Geometry())
    private var place = Place()

    /// Creates an empty layer at the origin.
    public override init() { super.init() }

    // MARK: Geometry

    /// The layer's rectangle in its superlayer; setting it changes ``position`` and the size of ``bounds``.
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

    /// The layer's rectangle in its own coordinates.
    open var bounds: CGRect {
        get { geometry.withLock { $0.bounds } }
        set { geometry.withLock { $0.bounds = newValue } }
    }

    /// The location of ``anchorPoint`` in the superlayer.
    open var position: CGPoint {
        get { geometry.withLock { $0.position } }
        set { geometry.withLock { $0.position = newValue } }
    }

    /// The point of the layer that ``position`` places, 0 ... 1 in both directions; the center at first.
    open var anchorPoint: CGPoint {
        get { geometry.withLock { $0.anchorPoint } }
        set { geometry.withLock { $0.anchorPoint = newValue } }
    }

    /// The layer's depth among its siblings; higher is in front.
    open var zPosition: CGFloat {
        get { geometry.withLock { $0.zPosition } }
        set { geometry.withLock { $0.zPosition = newValue } }
    }

    // MARK: Appearance

    /// Opacity from 0, invisible, to 1; 1 at first.
    open var opacity: Float {
        get { geometry.withLock { $0.opacity } }
        set { geometry.withLock { $0.opacity = newValue } }
    }

    /// Whether the layer and its sublayers are hidden.
    open var isHidden: Bool {
        get { geometry.withLock { $0.isHidden } }
        set { geometry.withLock { $0.isHidden = newValue } }
    }

    /// Whether the bounds clip the sublayers.
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

    /// The sublayers, rearmost first; `nil` without sublayers.
    open var sublayers: [CALayer]? {
        Self.treeLock.withLock { place.sublayers.isEmpty ? nil : place.sublayers }
    }

    /// The layer that contains this layer.
    open var superlayer: CALayer? { Self.treeLock.withLock { place.superlayer } }

    /// Adds a layer in front of all sublayers; the layer leaves its previous superlayer.
    open func addSublayer(_ layer: CALayer) { insertSublayer(layer, at: .max) }

    /// Inserts a layer so that `index` sublayers are behind it; clamps `index` to the number of sublayers.
    open func insertSublayer(_ layer: CALayer, at index: UInt32) {
        let isPossible = Self.treeLock.withLock {
            guard !layer.contains(self) else { return false }
            layer.leave()
            place.sublayers.insert(layer, at: min(Int(index), place.sublayers.count))
            layer.place.superlayer = self
            return true
        }
        checkAPIUse(isPossible, "a layer cannot be inside itself")
    }

    /// Removes the layer from its superlayer.
    open func removeFromSuperlayer() { Self.treeLock.withLock { leave() } }

    /// Requires `treeLock`.
    private func leave() {
        place.superlayer?.place.sublayers.removeAll { $0 === self }
        place.superlayer = nil
    }

    /// Whether this layer is `layer` or one of its ancestors. Requires `treeLock`.
    private func contains(_ layer: CALayer) -> Bool {
        var next: CALayer? = layer
        while let current = next {
            if current === self { return true }
            next = current.place.superlayer
        }
        return false
    }
}
