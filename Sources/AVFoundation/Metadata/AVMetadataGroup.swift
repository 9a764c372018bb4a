import CoreMedia
import Foundation

/// Metadata items that belong together. Any thread.
open class AVMetadataGroup: NSObject, @unchecked Sendable {
    // Safe to share: `stored` is only touched with the lock held; the items lock for themselves.

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

    /// A group without items.
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

    /// The kind of the group, as its source calls it; `nil` where it says nothing.
    open var classifyingLabel: String? { content.label }

    /// The name by which the group's source knows it; `nil` where it says nothing.
    open var uniqueID: String? { content.id }
}

/// Metadata items that are true for a range of time: a chapter, or a title of a stream.
open class AVTimedMetadataGroup: AVMetadataGroup, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Safe to share: it has no stored properties of its own.

    /// - Parameter timeRange: in the time of the asset or item; an indefinite duration is not known yet.
    public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
        super.init(Content(items: items, timeRange: timeRange))
    }

    override init(_ content: Content) { super.init(content) }

    /// When the items are true, in the time of the asset or item.
    open var timeRange: CMTimeRange { content.timeRange }

    /// A copy that cannot be changed.
    open func copy(with zone: NSZone? = nil) -> Any { AVTimedMetadataGroup(content) }

    /// A copy that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableTimedMetadataGroup(content) }
}

/// A timed metadata group that a program makes.
open class AVMutableTimedMetadataGroup: AVTimedMetadataGroup, @unchecked Sendable {
    // Safe to share: it has no stored properties of its own.

    /// When the items are true.
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

/// Metadata items that are true for a range of the calendar.
open class AVDateRangeMetadataGroup: AVMetadataGroup, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Safe to share: it has no stored properties of its own.

    /// - Parameter endDate: `nil` where it is not known yet.
    public init(items: [AVMetadataItem], start startDate: Date, end endDate: Date?) {
        super.init(Content(items: items, startDate: startDate, endDate: endDate))
    }

    override init(_ content: Content) { super.init(content) }

    /// When the items become true.
    open var startDate: Date { content.startDate }

    /// When they cease to be true; `nil` where it is not known yet.
    open var endDate: Date? { content.endDate }

    /// A copy that cannot be changed.
    open func copy(with zone: NSZone? = nil) -> Any { AVDateRangeMetadataGroup(content) }

    /// A copy that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableDateRangeMetadataGroup(content) }
}

/// A metadata group of the calendar that a program makes.
open class AVMutableDateRangeMetadataGroup: AVDateRangeMetadataGroup, @unchecked Sendable {
    // Safe to share: it has no stored properties of its own.

    /// When the items become true.
    open override var startDate: Date {
        get { super.startDate }
        set { change { $0.startDate = newValue } }
    }

    /// When they cease to be true.
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
