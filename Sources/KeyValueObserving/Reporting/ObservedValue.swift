import Foundation

/// A value behind a lock that reports reading and changing: the whole of a simple observable property.
package final class ObservedValue<Value: Sendable>: Sendable {
    private let storage: Guarded<Value>
    private let property: ObservedProperty
    private let observations: PropertyObservations

    package init(_ value: Value, _ property: ObservedProperty, in observations: PropertyObservations) {
        storage = Guarded(value)
        self.property = property
        self.observations = observations
    }

    /// The value; setting it tells the observers, also if it is the same again.
    package var value: Value {
        get {
            observations.access(property)
            return unreported
        }
        set { observations.change(property) { storage.withLock { $0 = newValue } } }
    }

    /// The value, read without reporting: for uses inside the class that nobody is to depend on.
    package var unreported: Value { storage.withLock { $0 } }
}

extension ObservedValue where Value: Equatable {
    /// Sets the value, and tells the observers only if it is another one.
    ///
    /// - Returns: whether it was.
    @discardableResult
    package func update(_ newValue: Value) -> Bool {
        guard unreported != newValue else { return false }
        value = newValue
        return true
    }
}
