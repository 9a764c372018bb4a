import Foundation

/// A locked value that reports reads and changes: the storage of a simple observable property.
package final class ObservedValue<Value: Sendable>: Sendable {
    private let storage: Guarded<Value>
    private let property: ObservedProperty
    private let observations: PropertyObservations

    /// Creates a value whose changes are reported as those of `property`.
    package init(_ value: Value, _ property: ObservedProperty, in observations: PropertyObservations) {
        storage = Guarded(value)
        self.property = property
        self.observations = observations
    }

    /// The value. Setting it notifies observers even if the value is unchanged.
    package var value: Value {
        get {
            observations.access(property)
            return unreported
        }
        set { observations.change(property) { storage.withLock { $0 = newValue } } }
    }

    /// The value, read without recording a dependency, for uses inside the class.
    package var unreported: Value { storage.withLock { $0 } }
}

extension ObservedValue where Value: Equatable {
    /// Sets the value and notifies observers, unless the value is unchanged.
    ///
    /// - Returns: Whether the value changed.
    @discardableResult
    package func update(_ newValue: Value) -> Bool {
        guard unreported != newValue else { return false }
        value = newValue
        return true
    }
}
