import Foundation

/// Keys and values of metadata once more, as plain objects.
///
/// Their type is Apple's, `(any NSCopying & NSObjectProtocol)?`. Here the compiler holds `item.value as? String` of that
/// type for a cast that always fails, though it finds the text; of `AnyObject?` it does not. Where nothing
/// else is asked for, these are taken.
public protocol _MetadataObjects: NSObject {}

extension _MetadataObjects where Self: AVMetadataItem {
    /// The name in ``AVMetadataItem/keySpace``; a string object.
    public var key: AnyObject? {
        let key: (any NSCopying & NSObjectProtocol)? = (self as AVMetadataItem).key
        return key
    }

    /// The value: a string, number, date or data object.
    public var value: AnyObject? {
        let value: (any NSCopying & NSObjectProtocol)? = (self as AVMetadataItem).value
        return value
    }
}

extension AVPartialAsyncProperty where Root: _MetadataObjects {
    /// The value: a string, number, date or data object.
    public static var value: AVAsyncProperty<Root, AnyObject?> {
        AVAsyncProperty("value") { ($0 as? AVMetadataItem)?.content.value }
    }
}
