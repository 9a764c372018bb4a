import CoreMedia
import Foundation

/// A group of metadata items. Any thread.
open class AVMetadataGroup: NSObject, @unchecked Sendable {
    // Safe to share: `stored` is only accessed under the lock; each item has its own lock.

    struct Content {
        var items: [AVMetadataItem] = []
        var timeRange = CMTimeRange.invalid
        var startDate = Date.distantPast
        var endDate: Date?
        var label: String?
        var id: String?
    }

    private let lock = NSLock()
    private var stored: Content

    /// Creates a group without items.
    public override init() {
        stored = Content()
        super.init()
    }

    init(_ content: Content) {
        stored = content
        super.init()
    }

    var content: Content { lock.withLock { stored } }

    func change(_ body: (inout Content) -> Void) { lock.withLock { body(&stored) } }

    /// The items of the group.
    open var items: [AVMetadataItem] { content.items }

    /// The kind of the group, as its source names it; `nil` if unknown.
    open var classifyingLabel: String? { content.label }

    /// The identifier of the group in its source; `nil` if unknown.
    open var uniqueID: String? { content.id }
}

/// Metadata items that apply to a time range: a chapter, or a title of a stream.
open class AVTimedMetadataGroup: AVMetadataGroup, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Safe to share: the class adds no stored properties.

    /// Creates a group for a time range.
    ///
    /// - Parameter timeRange: The range in the time of the asset or item; indefinite if the end is unknown.
    public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
        super.init(Content(items: items, timeRange: timeRange))
    }

    override init(_ content: Content) { super.init(content) }

    /// The range to which the items apply, in the time of the asset or item.
    open var timeRange: CMTimeRange { content.timeRange }

    /// Returns an immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any { AVTimedMetadataGroup(content) }

    /// Returns a mutable copy, an ``AVMutableTimedMetadataGroup``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableTimedMetadataGroup(content) }
}

/// A mutable timed metadata group.
open class AVMutableTimedMetadataGroup: AVTimedMetadataGroup, @unchecked Sendable {
    // Safe to share: the class adds no stored properties.

    /// The range to which the items apply.
    open override var timeRange: CMTimeRange {
        get { super.timeRange }
        set { change { $0.timeRange = newValue } }
    }

    /// The items of the group.
    open override var items: [AVMetadataItem] {
        get { super.items }
        set { change { $0.items = newValue } }
    }
}

/// Metadata items that apply to a date range.
open class AVDateRangeMetadataGroup: AVMetadataGroup, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Safe to share: the class adds no stored properties.

    /// Creates a group for a date range.
    ///
    /// - Parameter endDate: The end; `nil` while unknown.
    public init(items: [AVMetadataItem], start startDate: Date, end endDate: Date?) {
        super.init(Content(items: items, startDate: startDate, endDate: endDate))
    }

    override init(_ content: Content) { super.init(content) }

    /// The date from which the items apply.
    open var startDate: Date { content.startDate }

    /// The date until which the items apply; `nil` while unknown.
    open var endDate: Date? { content.endDate }

    /// Returns an immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any { AVDateRangeMetadataGroup(content) }

    /// Returns a mutable copy, an ``AVMutableDateRangeMetadataGroup``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableDateRangeMetadataGroup(content) }
}

/// A mutable metadata group for a date range.
open class AVMutableDateRangeMetadataGroup: AVDateRangeMetadataGroup, @unchecked Sendable {
    // Safe to share: the class adds no stored properties.

    /// The date from which the items apply.
    open override var startDate: Date {
        get { super.startDate }
        set { change { $0.startDate = newValue } }
    }

    /// The date until which the items apply; `nil` while unknown.
    open override var endDate: Date? {
        get { super.endDate }
        set { change { $0.endDate = newValue } }
    }

    /// The items of the group.
    open override var items: [AVMetadataItem] {
        get { super.items }
        set { change { $0.items = newValue } }
    }
}
