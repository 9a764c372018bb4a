import Foundation

/// Which options of an asset's groups are played. Any thread.
open class AVMediaSelection: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Safe to share: `index` is only touched with the lock held.

    private let lock = NSLock()
    private let source: AVAsset
    /// Of a stream; `nil` is the default one.
    private var index: Int?

    /// - Parameter stream: the index of the stream that is selected; `nil` is the default one.
    init(asset: AVAsset, stream: Int?) {
        (source, index) = (asset, stream)
        super.init()
    }

    var stream: Int? {
        get { lock.withLock { index } }
        set { lock.withLock { index = newValue } }
    }

    /// The asset whose options these are; `nil` never.
    open var asset: AVAsset? { source }

    /// The option of a group that is selected.
    open func selectedMediaOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        let wanted = stream
        return mediaSelectionGroup.options.first { $0.stream.index == wanted }
            ?? mediaSelectionGroup.defaultOption
    }

    /// Whether the user's preferences choose the option: until the program has selected one.
    open func mediaSelectionCriteriaCanBeAppliedAutomatically(
        to mediaSelectionGroup: AVMediaSelectionGroup
    ) -> Bool { stream == nil }

    /// A copy that cannot be changed.
    open func copy(with zone: NSZone? = nil) -> Any { AVMediaSelection(asset: source, stream: stream) }

    /// A copy that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        AVMutableMediaSelection(asset: source, stream: stream)
    }
}

/// A media selection that a program makes.
open class AVMutableMediaSelection: AVMediaSelection, @unchecked Sendable {
    // Safe to share: it has no stored properties of its own.

    /// Selects an option of a group; `nil`, and an option of another group, change nothing.
    open func select(
        _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
    ) {
        guard let option = mediaSelectionOption, mediaSelectionGroup.options.contains(option) else { return }
        stream = option.stream.index
    }
}
