import Foundation

extension CMFormatDescription {
    /// The extensions of a format: additional properties by name.
    public struct Extensions: ExpressibleByDictionaryLiteral {
        /// The name of an extension.
        public struct Key: RawRepresentable, Hashable, Sendable {
            private let name: String

            /// Creates the key with this name.
            public init(rawValue: CFString) { name = rawValue as String }

            /// The name in dictionary form.
            public var rawValue: CFString { name as NSString }
        }

        /// The value of an extension: a string, number, date, data, array or dictionary object.
        public struct Value: RawRepresentable {
            /// The object, as a dictionary holds it.
            public let rawValue: CFPropertyList

            /// Creates a value from an object: a string, a number, data, an array or a dictionary.
            public init(rawValue: CFPropertyList) { self.rawValue = rawValue }
        }

        private var values: [Key: Value] = [:]

        /// Creates an empty set of extensions.
        public init() {}

        /// Creates extensions from a dictionary of objects.
        public init(base: CFDictionary?) {
            for case (let name as String, let value) in base ?? [:] {
                values[Key(rawValue: name as NSString)] = Value(rawValue: value as AnyObject)
            }
        }

        /// Creates extensions from a literal; of equal keys the last one wins.
        public init(dictionaryLiteral elements: (Key, Value)...) {
            for (key, value) in elements { values[key] = value }
        }

        /// The extension with this name.
        public subscript(key: Key) -> Value? {
            get { values[key] }
            set { values[key] = newValue }
        }

        /// The names of all extensions.
        public var keys: some Collection<Key> { values.keys }

        /// The number of extensions.
        public var count: Int { values.count }

        /// Whether there are no extensions.
        public var isEmpty: Bool { values.isEmpty }

        /// The extensions as a dictionary of objects.
        public var base: CFDictionary {
            let objects = NSMutableDictionary()
            for (key, value) in values { objects.setObject(value.rawValue, forKey: key.rawValue) }
            return objects
        }
    }
}
