import Foundation

/// A helper protocol whose initialisers return an object of a subclass, which a class's own cannot.
///
/// Do not use this protocol. It is public because the initialisers of `NSValue` are its members.
public protocol _TimeValueMaking {}

extension NSValue: _TimeValueMaking {}

extension _TimeValueMaking {
    /// Creates an object that holds a time.
    public init(time: CMTime) { self = TimeValue(.time(time)) as! Self }

    /// Creates an object that holds a time range.
    public init(timeRange: CMTimeRange) { self = TimeValue(.range(timeRange)) as! Self }

    /// Creates an object that holds a time mapping.
    public init(timeMapping: CMTimeMapping) { self = TimeValue(.mapping(timeMapping)) as! Self }
}

extension NSValue {
    /// The time that this object holds; invalid if it holds something else.
    public var timeValue: CMTime {
        if case .time(let time)? = (self as? TimeValue)?.content { time } else { .invalid }
    }

    /// The time range that this object holds; invalid if it holds something else.
    public var timeRangeValue: CMTimeRange {
        if case .range(let range)? = (self as? TimeValue)?.content { range } else { .invalid }
    }

    /// The time mapping that this object holds; invalid if it holds something else.
    public var timeMappingValue: CMTimeMapping {
        if case .mapping(let mapping)? = (self as? TimeValue)?.content { mapping } else { .invalid }
    }
}

/// A value object that holds a structure, which Foundation's own value objects refuse on Linux.
private final class TimeValue: NSValue, @unchecked Sendable {
    // Safe to share: the content never changes.
    enum Content: Hashable {
        case time(CMTime)
        case range(CMTimeRange)
        case mapping(CMTimeMapping)
    }

    let content: Content

    init(_ content: Content) {
        self.content = content
        super.init()
    }

    required convenience init(bytes value: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
        self.init(.time(.invalid))
    }

    required init?(coder: NSCoder) { nil }

    override func isEqual(_ object: Any?) -> Bool { (object as? TimeValue)?.content == content }

    override var hash: Int { content.hashValue }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override var description: String {
        switch content {
        case .time(let time): "CMTime: \(time.text)"
        case .range(let range): "CMTimeRange: {\(range.start.text), \(range.duration.text)}"
        case .mapping(let mapping):
            "CMTimeMapping: {\(mapping.source.start.text), \(mapping.target.start.text)}"
        }
    }
}
