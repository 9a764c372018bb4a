import Foundation

/// Options for the values and calls that an observer gets.
public struct NSKeyValueObservingOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates options from bits; preserves unknown bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value after the change.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The value before the change.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// Calls the handler once before `observe` returns.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// Also calls the handler before each change.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The kind of a change; always ``setting`` in Tutti.
public enum NSKeyValueChange: UInt, Sendable {
    /// The value was set.
    case setting = 1
    /// Elements were inserted into a collection.
    case insertion = 2
    /// Elements were removed from a collection.
    case removal = 3
    /// Elements of a collection were replaced.
    case replacement = 4
}

/// One change of an observed property.
public struct NSKeyValueObservedChange<Value> {
    /// The kind of a change.
    public typealias Kind = NSKeyValueChange

    /// The kind of this change; always ``NSKeyValueChange/setting`` in Tutti.
    public let kind: Kind
    /// The value after the change, with the option ``NSKeyValueObservingOptions/new``.
    public let newValue: Value?
    /// The value before the change, with the option ``NSKeyValueObservingOptions/old``.
    public let oldValue: Value?
    /// The changed indexes of a collection; always `nil` in Tutti.
    public let indexes: IndexSet?
    /// Whether the call precedes the change.
    public let isPrior: Bool
}
