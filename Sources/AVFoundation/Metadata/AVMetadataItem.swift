import CoreMedia
import Dispatch
import Foundation

/// The name of a further fact about a metadata item.
public struct AVMetadataExtraAttributeKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// The key of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name that a text or address with a name of its own has.
    public static let info = AVMetadataExtraAttributeKey(rawValue: "info")
    /// The address where the value is.
    public static let valueURI = AVMetadataExtraAttributeKey(rawValue: "dataURL")
    /// The address of the list of values.
    public static let baseURI = AVMetadataExtraAttributeKey(rawValue: "baseDataURL")
}

/// One thing that is said about an asset: a name, in one key space, and a value.
///
/// Keys and values are objects, as on Apple's platforms. Any thread.
open class AVMetadataItem: NSObject, NSCopying, NSMutableCopying, AVAsynchronousKeyValueLoading,
    _MetadataObjects, @unchecked Sendable
{
    // Safe to share: `stored` is only touched with the lock held, and the values in it never change.

    private let lock = NSLock()
    private var stored: MetadataContent

    /// An item that says nothing.
    public override init() {
        stored = MetadataContent()
        super.init()
    }

    init(_ content: MetadataContent) {
        stored = content
        super.init()
    }

    var content: MetadataContent { lock.withLock { stored } }

    func change(_ body: (inout MetadataContent) -> Void) { lock.withLock { body(&stored) } }

    /// A copy that cannot be changed.
    open func copy(with zone: NSZone? = nil) -> Any { AVMetadataItem(content) }

    /// A copy that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableMetadataItem(content) }

    // MARK: Names

    /// Key space and key in one; `nil` if either is not known.
    open var identifier: AVMetadataIdentifier? { content.identifier }

    /// The name in the common key space; `nil` where it has none.
    open var commonKey: AVMetadataKey? { content.commonKey }

    /// The name in ``keySpace``; a string object.
    @_disfavoredOverload open var key: (any NSCopying & NSObjectProtocol)? { content.key }

    /// Whose name ``key`` is.
    open var keySpace: AVMetadataKeySpace? { content.keySpace }

    /// For whom the value is written; `nil` where that is not said.
    open var locale: Locale? { content.locale ?? content.extendedLanguageTag.map(Locale.init(identifier:)) }

    /// The language of the value; `nil` where that is not said.
    open var extendedLanguageTag: String? { content.extendedLanguageTag }

    /// The type that the value has in the file; `nil` where that is not known.
    open var dataType: String? { content.dataType }

    /// When in the asset it is true; invalid where that is always.
    open var time: CMTime { content.time }

    /// For how long it is true; invalid where that is always.
    open var duration: CMTime { content.duration }

    /// The same by the calendar.
    open var startDate: Date? { content.startDate }

    /// Whether these are the words of a song.
    var isLyrics: Bool {
        let (key, space) = (content.keyText, keySpace)
        return space.map { MetadataName.named("lyrics")?.key(in: $0) == key && key != nil } ?? false
    }

    /// The format that items like this belong to.
    var format: AVMetadataFormat? { keySpace?.format }

    /// The same under its common name; `nil` where it has none.
    var commonItem: AVMetadataItem? {
        var common = content
        guard let key = common.commonKey else { return nil }
        common.set(key.rawValue, in: .common)
        return AVMetadataItem(common)
    }

    // MARK: By the names of properties; the values are all there

    open func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus {
        outError?.pointee = nil
        return .loaded
    }

    @preconcurrency
    open func loadValuesAsynchronously(
        forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
    ) {
        if let handler { DispatchQueue.global().async(execute: handler) }
    }

    // MARK: The value, in the older getters

    /// The value: a string, number, date or data object.
    @_disfavoredOverload open var value: (any NSCopying & NSObjectProtocol)? { content.value }

    /// Further facts, by name.
    open var extraAttributes: [AVMetadataExtraAttributeKey: Any]? { content.extraAttributes }

    /// The value as text; `nil` if it cannot be one.
    open var stringValue: String? { content.stringValue }

    /// The value as a number; `nil` if it cannot be one.
    open var numberValue: NSNumber? { content.numberValue }

    /// The value as a date; `nil` if it cannot be one.
    open var dateValue: Date? { content.dateValue }

    /// The bytes of the value; `nil` if it cannot be written as such.
    open var dataValue: Data? { content.dataValue }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
    /// The value: a string, number, date or data object.
    @_disfavoredOverload
    public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> {
        AVAsyncProperty("value") { $0.content.value }
    }

    /// Further facts, by name.
    public static var extraAttributes: AVAsyncProperty<Root, [AVMetadataExtraAttributeKey: Any]?> {
        AVAsyncProperty("extraAttributes") { $0.content.extraAttributes }
    }

    /// The value as text; `nil` if it cannot be one.
    public static var stringValue: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("stringValue") { $0.content.stringValue }
    }

    /// The value as a number; `nil` if it cannot be one.
    public static var numberValue: AVAsyncProperty<Root, NSNumber?> {
        AVAsyncProperty("numberValue") { $0.content.numberValue }
    }

    /// The value as a date; `nil` if it cannot be one.
    public static var dateValue: AVAsyncProperty<Root, Date?> {
        AVAsyncProperty("dateValue") { $0.content.dateValue }
    }

    /// The bytes of the value; `nil` if it cannot be written as such.
    public static var dataValue: AVAsyncProperty<Root, Data?> {
        AVAsyncProperty("dataValue") { $0.content.dataValue }
    }
}
