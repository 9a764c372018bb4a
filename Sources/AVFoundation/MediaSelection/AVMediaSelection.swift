import Foundation

/// The selected options of an asset's groups. Any thread.
open class AVMediaSelection: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Safe to share: `index` is only accessed under the lock.

    private let lock = NSLock()
    private let source: AVAsset
    /// The index of the selected stream; `nil` selects the default stream.
    private var index: Int?

    /// - Parameter stream: The index of the selected stream; `nil` selects the default stream.
    init(asset: AVAsset, stream: Int?) {
        (source, index) = (asset, stream)
        super.init()
    }

    var stream: Int? {
        get { lock.withLock { index } }
        set { lock.withLock { index = newValue } }
    }

    /// The asset of the options; never `nil`.
    open var asset: AVAsset? { source }

    /// Returns the selected option of a group.
    open func selectedMediaOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        let wanted = stream
        return mediaSelectionGroup.options.first { $0.stream.index == wanted }
            ?? mediaSelectionGroup.defaultOption
    }

    /// Returns whether the user's preferences may choose an option: true until the program selects an option.
    open func mediaSelectionCriteriaCanBeAppliedAutomatically(
        to mediaSelectionGroup: AVMediaSelectionGroup
    ) -> Bool { stream == nil }

    /// Returns an immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any { AVMediaSelection(asset: source, stream: stream) }

    /// Returns a mutable copy, an ``AVMutableMediaSelection``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        AVMutableMediaSelection(asset: source, stream: stream)
    }
}

/// A mutable media selection.
open class AVMutableMediaSelection: AVMediaSelection, @unchecked Sendable {
    // Safe to share: the class has no stored properties of its own.

    /// Selects an option of a group; ignores `nil` and an option of another group.
    open func select(
        _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
    ) {
        guard let option = mediaSelectionOption, mediaSelectionGroup.options.contains(option) else { return }
        stream = option.stream.index
    }
}
