import Foundation

/// What an observer wants to be told.
public struct NSKeyValueObservingOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// The options of these bits; bits without a name are kept.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value after the change.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The value before the change.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// A first call before `observe` returns.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// A call before each change as well.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// How a value changed. Properties here are always set as a whole.
public enum NSKeyValueChange: UInt, Sendable {
    /// The value was set.
    case setting = 1
    /// Something was put into a collection.
    case insertion = 2
    /// Something was taken out of a collection.
    case removal = 3
    /// Something in a collection was replaced.
    case replacement = 4
}

/// One change of an observed property.
public struct NSKeyValueObservedChange<Value> {
    /// How a value changed.
    public typealias Kind = NSKeyValueChange

    /// How the value changed.
    public let kind: Kind
    /// The value after the change, if ``NSKeyValueObservingOptions/new`` was asked for.
    public let newValue: Value?
    /// The value before the change, if ``NSKeyValueObservingOptions/old`` was asked for.
    public let oldValue: Value?
    /// Which parts of a collection changed; always `nil` here.
    public let indexes: IndexSet?
    /// Whether this tells of a change that is still to come.
    public let isPrior: Bool
}
