import Foundation

/// The name of an observable property of a class.
package struct ObservedProperty: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The property's name in Swift.
    package let name: String

    /// Creates a property of this name.
    package init(_ name: String) { self.name = name }

    /// Creates a property of this name.
    package init(stringLiteral name: String) { self.init(name) }
}

/// The observers of one object's properties. An observable class has one `PropertyObservations`, and reports
/// every read and every change to it:
///
///     var rate: Float {
///         get { observations.access("rate"); return state.withLock { $0.rate } }
///         set { observations.change("rate") { state.withLock { $0.rate = newValue } } }
///     }
///
/// Never report a change with a lock held: observers run inside the call and read the property.
package final class PropertyObservations: Sendable {
    private let observers = Guarded<[ObservedProperty: [PropertyObserver]]>([:])

    private let tracking: ReadTracking?

    /// - Parameter tracksReads: Whether to report to Swift's Observation as well.
    package init(tracksReads: Bool = false) { tracking = tracksReads ? ReadTracking() : nil }

    /// Reports a read of a property. Costs one atomic load unless a dependency recorder or Swift's
    /// Observation is active.
    package func access(_ property: ObservedProperty) {
        DependencyRecorder.note(property, of: self)
        tracking?.access(property)
    }

    /// Whether the property has observers.
    package func isObserved(_ property: ObservedProperty) -> Bool {
        observers.withLock { $0[property]?.isEmpty == false }
    }

    /// Reports that properties are about to change, and notifies observers with the option `prior`.
    ///
    /// Reads old values now, on this thread. Change the properties, then call ``PropertyChange/didChange()``
    /// on the result, once. An observer of several of the properties is called once.
    package func willChange(_ properties: ObservedProperty...) -> PropertyChange { begin(properties) }

    /// Runs `body`, which changes the properties, and notifies their observers before and after it.
    package func change<R>(_ properties: ObservedProperty..., by body: () throws -> R) rethrows -> R {
        let change = begin(properties)
        defer { change.didChange() }
        return try body()
    }

    /// Runs `body` like ``change(_:by:)``, for an array of properties.
    package func change(of properties: [ObservedProperty], by body: () -> Void) {
        let change = begin(properties)
        defer { change.didChange() }
        body()
    }

    private func begin(_ properties: [ObservedProperty]) -> PropertyChange {
        let listening = observers.withLock { observers in
            var found: [PropertyObserver] = []
            for property in properties {
                for observer in observers[property] ?? [] where !found.contains(where: { $0 === observer }) {
                    found.append(observer)
                }
            }
            return found
        }
        var finishing = listening.compactMap { $0.willChange() }
        if let tracking {
            tracking.willChange(properties)
            finishing.append { tracking.didChange(properties) }
        }
        return PropertyChange(finishing: finishing)
    }

    func add(_ observer: PropertyObserver, to property: ObservedProperty) {
        observers.withLock { observers in
            if observers[property]?.contains(where: { $0 === observer }) == true { return }
            observers[property, default: []].append(observer)
        }
    }

    func remove(_ observer: PropertyObserver, from property: ObservedProperty) {
        // Release the observer outside the lock: this may be its last reference.
        let removed = observers.withLock { observers in
            let all = observers[property] ?? []
            let kept = all.filter { $0 !== observer }
            observers[property] = kept.isEmpty ? nil : kept
            return all
        }
        withExtendedLifetime(removed) {}
    }
}

/// A change that has been announced and not completed.
package struct PropertyChange {
    fileprivate let finishing: [() -> Void]

    /// Notifies the observers that the properties have their new values.
    package func didChange() { for finish in finishing { finish() } }
}
