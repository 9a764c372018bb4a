import Foundation

/// The selected options of an asset's groups. Any thread.
open class AVMediaSelection: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Safe to share: `index` is only accessed under the lock.

    private let lock = NSLock()
    private let source: AVAsset
    /// The index of the selected stream of sound; `nil` selects the default stream.
    private var index: Int?
    /// The index of the selected stream of text; `nil` selects none.
    private var textIndex: Int?

    /// - Parameters:
    ///   - stream: The index of the selected stream of sound; `nil` selects the default stream.
    ///   - text: The index of the selected stream of text; `nil` selects none.
    init(asset: AVAsset, stream: Int?, text: Int? = nil) {
        (source, index, textIndex) = (asset, stream, text)
        super.init()
    }

    var stream: Int? {
        get { lock.withLock { index } }
        set { lock.withLock { index = newValue } }
    }

    var text: Int? {
        get { lock.withLock { textIndex } }
        set { lock.withLock { textIndex = newValue } }
    }

    /// The asset of the options; never `nil`.
    open var asset: AVAsset? { source }

    /// Returns the selected option of a group.
    open func selectedMediaOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        let wanted = mediaSelectionGroup.allowsEmptySelection ? text : stream
        return mediaSelectionGroup.options.first { $0.stream.index == wanted }
            ?? mediaSelectionGroup.defaultOption
    }

    /// Returns whether the user's preferences may choose an option of a group: true until the program selects one.
    open func mediaSelectionCriteriaCanBeAppliedAutomatically(
        to mediaSelectionGroup: AVMediaSelectionGroup
    ) -> Bool { (mediaSelectionGroup.allowsEmptySelection ? text : stream) == nil }

    /// Returns an immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        AVMediaSelection(asset: source, stream: stream, text: text)
    }

    /// Returns a mutable copy, an ``AVMutableMediaSelection``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        AVMutableMediaSelection(asset: source, stream: stream, text: text)
    }
}

/// A mutable media selection.
open class AVMutableMediaSelection: AVMediaSelection, @unchecked Sendable {
    // Safe to share: the class adds no stored properties.

    /// Selects an option of a group; `nil` selects none where the group allows that. Ignores an option of another group.
    open func select(
        _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
    ) {
        guard let option = mediaSelectionOption else {
            if mediaSelectionGroup.allowsEmptySelection { text = nil }
            return
        }
        guard mediaSelectionGroup.options.contains(option) else { return }
        if option.stream.isText { text = option.stream.index } else { stream = option.stream.index }
    }
}
