import Foundation

extension CMFormatDescription {
    /// Further facts about a format, by name.
    public struct Extensions: ExpressibleByDictionaryLiteral {
        /// The name of a fact.
        public struct Key: RawRepresentable, Hashable, Sendable {
            private let name: String

            /// The key of this name.
            public init(rawValue: CFString) { name = rawValue as String }

            /// The name, as a dictionary has it.
            public var rawValue: CFString { name as NSString }
        }

        /// A fact: a string, number, date, data, array or dictionary object.
        public struct Value: RawRepresentable {
            /// The object, as a dictionary has it.
            public let rawValue: CFPropertyList

            /// A value that is this object: a string, a number, data, an array or a dictionary.
            public init(rawValue: CFPropertyList) { self.rawValue = rawValue }
        }

        private var values: [Key: Value] = [:]

        /// No facts.
        public init() {}

        /// The facts of a dictionary of objects.
        public init(base: CFDictionary?) {
            for case (let name as String, let value) in base ?? [:] {
                values[Key(rawValue: name as NSString)] = Value(rawValue: value as AnyObject)
            }
        }

        /// The extensions of a literal; of equal keys the last one counts.
        public init(dictionaryLiteral elements: (Key, Value)...) {
            for (key, value) in elements { values[key] = value }
        }

        /// The fact of this name.
        public subscript(key: Key) -> Value? {
            get { values[key] }
            set { values[key] = newValue }
        }

        /// The names of all facts.
        public var keys: some Collection<Key> { values.keys }

        /// How many facts there are.
        public var count: Int { values.count }

        /// Whether there is no fact.
        public var isEmpty: Bool { values.isEmpty }

        /// The facts as a dictionary of objects.
        public var base: CFDictionary {
            let objects = NSMutableDictionary()
            for (key, value) in values { objects.setObject(value.rawValue, forKey: key.rawValue) }
            return objects
        }
    }
}
