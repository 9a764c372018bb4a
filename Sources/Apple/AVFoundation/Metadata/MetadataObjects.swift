import Foundation

/// Keys and values of metadata as plain objects.
///
/// Apple's type is `(any NSCopying & NSObjectProtocol)?`. For that type the compiler here says that
/// `item.value as? String` always fails, although the cast succeeds; for `AnyObject?` the compiler does not.
/// Overload resolution prefers these properties unless the context asks for Apple's type.
public protocol _MetadataObjects: NSObject {}

extension _MetadataObjects where Self: AVMetadataItem {
    /// The name in ``AVMetadataItem/keySpace``: a string object.
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
        AVAsyncProperty(
            "value", loading: { ($0 as? AVMetadataItem)?.content.lazyValue },
            read: { root in
                guard let content = (root as? AVMetadataItem)?.loadedContent else { return nil }
                let value: AnyObject? = content.value
                return .some(value)
            })
    }
}
