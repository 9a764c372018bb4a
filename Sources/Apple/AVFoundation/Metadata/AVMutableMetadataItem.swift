import CoreMedia
import Foundation

/// A mutable metadata item.
open class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    // Safe to share: the class adds no stored properties.

    /// The key space and key as one name; setting the identifier sets both.
    open override var identifier: AVMetadataIdentifier? {
        get { super.identifier }
        set {
            change { content in
                let parts = newValue?.parts
                content.key = parts.map { $0.key as NSString }
                content.keySpace = parts?.space
            }
        }
    }

    /// The name in ``keySpace``: a string, or a four-character code as a number.
    @_disfavoredOverload open override var key: (any NSCopying & NSObjectProtocol)? {
        get { content.key }
        set { change { $0.key = newValue } }
    }

    /// The key space of ``key``.
    open override var keySpace: AVMetadataKeySpace? {
        get { super.keySpace }
        set { change { $0.keySpace = newValue } }
    }

    /// The locale of the value.
    open override var locale: Locale? {
        get { super.locale }
        set { change { $0.locale = newValue } }
    }

    /// The BCP 47 language tag of the value.
    open override var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { change { $0.extendedLanguageTag = newValue } }
    }

    /// The type of the value in a file.
    open override var dataType: String? {
        get { super.dataType }
        set { change { $0.dataType = newValue } }
    }

    /// The time in the asset from which the item applies.
    open override var time: CMTime {
        get { super.time }
        set { change { $0.time = newValue } }
    }

    /// The duration for which the item applies.
    open override var duration: CMTime {
        get { super.duration }
        set { change { $0.duration = newValue } }
    }

    /// The date from which the item applies.
    open override var startDate: Date? {
        get { super.startDate }
        set { change { $0.startDate = newValue } }
    }

    /// The value: a string, number, date or data object.
    @_disfavoredOverload open override var value: (any NSCopying & NSObjectProtocol)? {
        get { waitedContent.value }
        set { change { $0.value = newValue } }
    }

    /// Extra attributes, by name.
    open override var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
        get { super.extraAttributes }
        set { change { $0.extraAttributes = newValue ?? [:] } }
    }
}
