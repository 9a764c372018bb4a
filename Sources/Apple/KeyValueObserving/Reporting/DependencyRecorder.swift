import Foundation
import Synchronization

/// A property of one object that a reading depended on.
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

/// A recorder of the properties that report reads in the current task or thread while a value is read.
final class DependencyRecorder: Sendable {
    @TaskLocal private static var current: DependencyRecorder?

    /// Number of active recorders, so that an unrecorded read costs one atomic load.
    private static let activeCount = Atomic<Int>(0)

    private let noted = Guarded<Set<PropertyDependency>>([])

    /// The recorded dependencies.
    var dependencies: Set<PropertyDependency> { noted.withLock { $0 } }

    /// Runs `body` and records the properties that it reads.
    func record<R>(_ body: () -> R) -> R {
        Self.activeCount.add(1, ordering: .relaxed)
        defer { Self.activeCount.subtract(1, ordering: .relaxed) }
        return Self.$current.withValue(self) { body() }
    }

    /// Records a property if a recorder is active here.
    static func note(_ property: ObservedProperty, of observations: PropertyObservations) {
        guard activeCount.load(ordering: .relaxed) > 0, let current else { return }
        let dependency = PropertyDependency(observations: observations, property: property)
        _ = current.noted.withLock { $0.insert(dependency) }
    }
}
