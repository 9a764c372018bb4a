import CoreMedia
import Foundation

/// A metadata item that a program makes.
open class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    // Safe to share: it has no stored properties of its own.

    /// Key space and key in one; setting it sets both.
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

    /// The name in ``keySpace``: a string, or four characters in a number.
    @_disfavoredOverload open override var key: (any NSCopying & NSObjectProtocol)? {
        get { content.key }
        set { change { $0.key = newValue } }
    }

    /// Whose name ``key`` is.
    open override var keySpace: AVMetadataKeySpace? {
        get { super.keySpace }
        set { change { $0.keySpace = newValue } }
    }

    /// For whom the value is written.
    open override var locale: Locale? {
        get { super.locale }
        set { change { $0.locale = newValue } }
    }

    /// The language of the value.
    open override var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { change { $0.extendedLanguageTag = newValue } }
    }

    /// The type that the value has in a file.
    open override var dataType: String? {
        get { super.dataType }
        set { change { $0.dataType = newValue } }
    }

    /// When in the asset it is true.
    open override var time: CMTime {
        get { super.time }
        set { change { $0.time = newValue } }
    }

    /// For how long it is true.
    open override var duration: CMTime {
        get { super.duration }
        set { change { $0.duration = newValue } }
    }

    /// The same by the calendar.
    open override var startDate: Date? {
        get { super.startDate }
        set { change { $0.startDate = newValue } }
    }

    /// The value: a string, number, date or data object.
    @_disfavoredOverload open override var value: (any NSCopying & NSObjectProtocol)? {
        get { content.value }
        set { change { $0.value = newValue } }
    }

    /// Further facts, by name.
    open override var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
        get { super.extraAttributes }
        set { change { $0.extraAttributes = newValue ?? [:] } }
    }
}
