import Observation

/// A bridge of one object's properties to Swift's Observation, which tracks reads inside
/// `withObservationTracking` and reports the next change. Callable from any thread.
final class ReadTracking: Sendable {
    /// A stand-in for the object, with properties identified by name.
    private final class Subject: Observable, Sendable {
        subscript(property: ObservedProperty) -> Never? { nil }
    }

    private let registrar = ObservationRegistrar()
    private let subject = Subject()

    func access(_ property: ObservedProperty) { registrar.access(subject, keyPath: \.[property]) }

    func willChange(_ properties: [ObservedProperty]) {
        for property in properties { registrar.willSet(subject, keyPath: \.[property]) }
    }

    func didChange(_ properties: [ObservedProperty]) {
        for property in properties { registrar.didSet(subject, keyPath: \.[property]) }
    }
}

/// A one-time choice whether objects take part in Swift's Observation, fixed when the first object is made.
/// Callable from any thread.
package final class ObservationChoice: Sendable {
    private let state = Guarded((isEnabled: false, isFinal: false))

    /// Creates a choice that is not made yet.
    package init() {}

    /// The current choice; `false` at first.
    package var isEnabled: Bool { state.withLock { $0.isEnabled } }

    /// - Returns: `false`, without effect, if an object was already made with the other choice.
    package func choose(_ isEnabled: Bool) -> Bool {
        state.withLock { state in
            guard !state.isFinal || state.isEnabled == isEnabled else { return false }
            state.isEnabled = isEnabled
            return true
        }
    }

    /// Returns the observations of an object being made; fixes the choice.
    package func makeObservations() -> PropertyObservations {
        let isEnabled = state.withLock { state in
            state.isFinal = true
            return state.isEnabled
        }
        return PropertyObservations(tracksReads: isEnabled)
    }
}
