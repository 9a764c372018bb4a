import Foundation
import Synchronization

/// A property of one object that something was read from.
struct PropertyDependency: Hashable, Sendable {
    let observations: PropertyObservations
    let property: ObservedProperty

    static func == (left: PropertyDependency, right: PropertyDependency) -> Bool {
        left.observations === right.observations && left.property == right.property
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(observations))
        hasher.combine(property)
    }
}

/// Notes which properties report themselves while a value is read on one thread.
final class DependencyRecorder: Sendable {
    @TaskLocal private static var current: DependencyRecorder?

    /// How many recorders are at work, so that all other reading costs one load.
    private static let activeCount = Atomic<Int>(0)

    private let noted = Guarded<Set<PropertyDependency>>([])

    /// What was noted.
    var dependencies: Set<PropertyDependency> { noted.withLock { $0 } }

    /// Runs `body`, noting what it reads on this thread.
    func record<R>(_ body: () -> R) -> R {
        Self.activeCount.add(1, ordering: .relaxed)
        defer { Self.activeCount.subtract(1, ordering: .relaxed) }
        return Self.$current.withValue(self) { body() }
    }

    /// Notes a property, if this thread is recording.
    static func note(_ property: ObservedProperty, of observations: PropertyObservations) {
        guard activeCount.load(ordering: .relaxed) > 0, let current else { return }
        let dependency = PropertyDependency(observations: observations, property: property)
        _ = current.noted.withLock { $0.insert(dependency) }
    }
}
