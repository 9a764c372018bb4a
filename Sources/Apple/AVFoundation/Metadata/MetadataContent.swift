import CoreMedia
import Foundation

/// The data types of metadata values in files.
enum MetadataDataType {
    static let text = "com.apple.metadata.datatype.UTF-8"
    static let raw = "com.apple.metadata.datatype.raw-data"
    static let integer = "com.apple.metadata.datatype.int32"
    static let jpeg = "com.apple.metadata.datatype.JPEG"
    static let png = "com.apple.metadata.datatype.PNG"
}

/// The contents of one metadata item.
struct MetadataContent {
    var key: (any NSCopying & NSObjectProtocol)?
    var keySpace: AVMetadataKeySpace?
    private var ownValue: (any NSCopying & NSObjectProtocol)?
    /// The value that a program provides on demand; `nil` for a value that is there from the start.
    private(set) var lazyValue: LazyMetadataValue?
    var extraAttributes: [AVMetadataExtraAttributeKey: Any] = [:]
    var locale: Locale?
    var extendedLanguageTag: String?
    var dataType: String?
    var time = CMTime.invalid
    var duration = CMTime.invalid
    var startDate: Date?

    /// The value; `nil` while it is not loaded. Setting it replaces a value that is provided on demand.
    var value: (any NSCopying & NSObjectProtocol)? {
        get {
            guard let lazyValue else { return ownValue }
            return lazyValue.value
        }
        set { (ownValue, lazyValue) = (newValue, nil) }
    }

    /// Whether ``value`` is what it will be.
    var isLoaded: Bool { lazyValue.map { $0.value != nil } ?? true }

    /// Replaces the value by one that is provided on demand.
    mutating func provide(_ value: LazyMetadataValue) { (ownValue, lazyValue) = (nil, value) }

    mutating func set(_ key: String, in space: AVMetadataKeySpace) {
        self.key = key as NSString
        keySpace = space
    }

    // MARK: Names

    var keyText: String? {
        switch key {
        case let text as NSString: text as String
        // A four-character code.
        case let number as NSNumber: Self.fourCharacters(number.uint32Value)
        default: nil
        }
    }

    private static func fourCharacters(_ code: UInt32) -> String {
        String([24, 16, 8, 0].map { Character(UnicodeScalar(UInt8(truncatingIfNeeded: code >> $0))) })
    }

    var identifier: AVMetadataIdentifier? {
        guard let keyText, let keySpace else { return nil }
        return AVMetadataIdentifier(key: keyText, keySpace: keySpace)
    }

    var commonKey: AVMetadataKey? {
        guard let keyText, let keySpace else { return nil }
        return MetadataName.commonKey(of: keyText, in: keySpace)
    }

    // MARK: The value in other forms

    var stringValue: String? {
        switch value {
        case let text as NSString: text as String
        case let number as NSNumber: number.stringValue
        case let date as NSDate: MetadataDate.text(of: date as Date)
        default: nil
        }
    }

    var numberValue: NSNumber? {
        switch value {
        case let number as NSNumber:
            return number
        case let text as NSString:
            if let whole = Int(text as String) { return NSNumber(value: whole) }
            return Double(text as String).flatMap { $0.isFinite ? NSNumber(value: $0) : nil }
        default:
            return nil
        }
    }

    var dateValue: Date? {
        switch value {
        case let date as NSDate: date as Date
        case let text as NSString: MetadataDate.date(of: text as String)
        default: nil
        }
    }

    var dataValue: Data? {
        switch value {
        case let data as NSData: data as Data
        case let text as NSString: Data((text as String).utf8)
        default: nil
        }
    }
}

extension AVMetadataIdentifier {
    /// Creates `space/key`; percent-encodes the key except letters, digits and `-._~`.
    init(key: String, keySpace: AVMetadataKeySpace) {
        let text = Self.bytes(of: key).reduce(into: "") { text, byte in
            let scalar = UnicodeScalar(byte)
            if scalar.isASCII,
                scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar)
            {
                text.unicodeScalars.append(scalar)
            } else {
                text += String(format: "%%%02X", byte)
            }
        }
        self.init(keySpace.identifierPrefix + "/" + text)
    }

    /// Returns a byte for each character, as in the file, where © is 0xA9; UTF-8 for a key with characters beyond
    /// U+00FF, or whose bytes would be read as other characters of UTF-8.
    private static func bytes(of key: String) -> [UInt8] {
        let single = key.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        let isSingle = single.count == key.unicodeScalars.count
        return isSingle && String(validating: single, as: UTF8.self) == nil ? single : Array(key.utf8)
    }

    /// The key space and key; `nil` for text without a slash.
    var parts: (space: AVMetadataKeySpace, key: String)? {
        guard let slash = rawValue.firstIndex(of: "/") else { return nil }
        let space = AVMetadataKeySpace(identifierPrefix: String(rawValue[..<slash]))
        var bytes: [UInt8] = []
        var rest = Array(rawValue[rawValue.index(after: slash)...].utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                rest.prefix(2).allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return (
            space,
            String(validating: bytes, as: UTF8.self) ?? String(bytes.map { Character(UnicodeScalar($0)) })
        )
    }
}
