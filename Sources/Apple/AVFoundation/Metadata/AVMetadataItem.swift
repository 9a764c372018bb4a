import CoreMedia
import Dispatch
import Foundation

/// The name of an extra attribute of a metadata item.
public struct AVMetadataExtraAttributeKey: RawRepresentable, Hashable, Sendable {
    /// The name of the attribute.
    public let rawValue: String

    /// Creates the key of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name of a user-defined text or URL.
    public static let info = AVMetadataExtraAttributeKey(rawValue: "info")
    /// The URL of the value.
    public static let valueURI = AVMetadataExtraAttributeKey(rawValue: "dataURL")
    /// The base URL of the values.
    public static let baseURI = AVMetadataExtraAttributeKey(rawValue: "baseDataURL")
}

/// One piece of metadata of an asset: a value under a name in one key space.
///
/// Keys and values are objects, as on Apple's platforms. Any thread.
open class AVMetadataItem: NSObject, NSCopying, NSMutableCopying, AVAsynchronousKeyValueLoading,
    _MetadataObjects, @unchecked Sendable
{
    // Safe to share: `stored` is only accessed under the lock, and its values are immutable.

    private let lock = NSLock()
    private var stored: MetadataContent

    /// Creates an empty item.
    public override init() {
        stored = MetadataContent()
        super.init()
    }

    init(_ content: MetadataContent) {
        stored = content
        super.init()
    }

    /// The contents without waiting for a value that is provided on demand.
    var content: MetadataContent { lock.withLock { stored } }

    /// The contents with their value; blocks the calling thread until a value that is provided on demand has come.
    var waitedContent: MetadataContent {
        let content = content
        content.lazyValue?.wait()
        return content
    }

    /// The contents with their value; `nil` while that is not loaded.
    var loadedContent: MetadataContent? {
        let content = content
        return content.isLoaded ? content : nil
    }

    func change(_ body: (inout MetadataContent) -> Void) { lock.withLock { body(&stored) } }

    /// Returns an immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any { AVMetadataItem(content) }

    /// Returns a mutable copy, an ``AVMutableMetadataItem``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableMetadataItem(content) }

    // MARK: Names

    /// The key space and key as one name; `nil` if either is unknown.
    open var identifier: AVMetadataIdentifier? { content.identifier }

    /// The name in the common key space; `nil` if there is none.
    open var commonKey: AVMetadataKey? { content.commonKey }

    /// The name in ``keySpace``: a string object.
    @_disfavoredOverload open var key: (any NSCopying & NSObjectProtocol)? { content.key }

    /// The key space of ``key``.
    open var keySpace: AVMetadataKeySpace? { content.keySpace }

    /// The locale of the value; `nil` if unknown.
    open var locale: Locale? { content.locale ?? content.extendedLanguageTag.map(Locale.init(identifier:)) }

    /// The BCP 47 language tag of the value; `nil` if unknown.
    open var extendedLanguageTag: String? { content.extendedLanguageTag }

    /// The type of the value in the file; `nil` if unknown.
    open var dataType: String? { content.dataType }

    /// The time in the asset from which the item applies; invalid if the item always applies.
    open var time: CMTime { content.time }

    /// The duration for which the item applies; invalid if the item always applies.
    open var duration: CMTime { content.duration }

    /// The date from which the item applies; `nil` if unknown.
    open var startDate: Date? { content.startDate }

    /// Whether the item holds the lyrics of a song.
    var isLyrics: Bool {
        let (key, space) = (content.keyText, keySpace)
        return space.map { MetadataName.named("lyrics")?.key(in: $0) == key && key != nil } ?? false
    }

    /// The metadata format of the item's key space.
    var format: AVMetadataFormat? { keySpace?.format }

    /// The item under its common name; `nil` if there is none.
    var commonItem: AVMetadataItem? {
        var common = content
        guard let key = common.commonKey else { return nil }
        common.set(key.rawValue, in: .common)
        return AVMetadataItem(common)
    }

    // MARK: String keys; only a value that is provided on demand is not available from the start

    /// The properties that a value on demand is needed for.
    private static let valueKeys: Set = ["value", "stringValue", "numberValue", "dateValue", "dataValue"]

    open func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus {
        outError?.pointee = nil
        guard let lazyValue = content.lazyValue, Self.valueKeys.contains(key) else { return .loaded }
        switch lazyValue.loadingState {
        case .idle: return .unknown
        case .loading: return .loading
        case .loaded: return .loaded
        case .failed(let error):
            outError?.pointee = error as NSError
            return .failed
        }
    }

    @preconcurrency
    open func loadValuesAsynchronously(
        forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
    ) {
        let finished: @Sendable () -> Void = {
            if let handler { DispatchQueue.global().async(execute: handler) }
        }
        if let lazyValue = content.lazyValue, !Self.valueKeys.isDisjoint(with: keys) {
            lazyValue.whenFinished(finished)
        } else {
            finished()
        }
    }

    // MARK: Deprecated getters of the value, which block until a value that is provided on demand has come

    /// The value: a string, number, date or data object.
    @_disfavoredOverload open var value: (any NSCopying & NSObjectProtocol)? { waitedContent.value }

    /// Extra attributes, by name.
    open var extraAttributes: [AVMetadataExtraAttributeKey: Any]? { content.extraAttributes }

    /// The value as text; `nil` if it cannot be converted.
    open var stringValue: String? { waitedContent.stringValue }

    /// The value as a number; `nil` if it cannot be converted.
    open var numberValue: NSNumber? { waitedContent.numberValue }

    /// The value as a date; `nil` if it cannot be converted.
    open var dateValue: Date? { waitedContent.dateValue }

    /// The bytes of a data or string value; `nil` for other values.
    open var dataValue: Data? { waitedContent.dataValue }
}

extension AVAsyncProperty where Root: AVMetadataItem {
    /// Creates a property that needs the item's value.
    convenience init(_ key: String, content read: @escaping @Sendable (MetadataContent) -> Value) {
        self.init(key, loading: { $0.content.lazyValue }, read: { $0.loadedContent.map(read) })
    }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
    /// The value: a string, number, date or data object.
    @_disfavoredOverload
    public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> {
        AVAsyncProperty("value", content: { $0.value })
    }

    /// Extra attributes, by name.
    public static var extraAttributes: AVAsyncProperty<Root, [AVMetadataExtraAttributeKey: Any]?> {
        AVAsyncProperty("extraAttributes", read: { $0.content.extraAttributes })
    }

    /// The value as text; `nil` if it cannot be converted.
    public static var stringValue: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("stringValue", content: { $0.stringValue })
    }

    /// The value as a number; `nil` if it cannot be converted.
    public static var numberValue: AVAsyncProperty<Root, NSNumber?> {
        AVAsyncProperty("numberValue", content: { $0.numberValue })
    }

    /// The value as a date; `nil` if it cannot be converted.
    public static var dateValue: AVAsyncProperty<Root, Date?> {
        AVAsyncProperty("dateValue", content: { $0.dateValue })
    }

    /// The bytes of a data or string value; `nil` for other values.
    public static var dataValue: AVAsyncProperty<Root, Data?> {
        AVAsyncProperty("dataValue", content: { $0.dataValue })
    }
}
