import Foundation

/// An observation without its types, as the observed objects hold it.
class PropertyObserver: @unchecked Sendable {
    // Safe to share: `state` is only touched with the lock held, and subclasses add nothing that changes.

    private struct State {
        var isValid = true
        var dependencies: Set<PropertyDependency> = []
        var lastTicket = 0
        var appliedTicket = 0
        var toldTicket = 0
    }

    // Recursive, as letting go of a foreign observer inside may end this observation on the same thread.
    private let lock = NSRecursiveLock()
    private var state = State()

    /// Whether the handler may still be called.
    var isValid: Bool { lock.withLock { state.isValid } }

    /// Called before a change, and gives what to call after it.
    func willChange() -> (() -> Void)? { nil }

    /// A number for one reading of the value; higher ones began later.
    func beginReading() -> Int {
        lock.withLock {
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    /// Whether what a reading found may be told: not if one that began later was.
    func mayTell(_ ticket: Int) -> Bool {
        lock.withLock {
            guard ticket >= state.toldTicket else { return false }
            state.toldTicket = ticket
            return true
        }
    }

    /// Listens to the properties that a reading came by, and no longer to others.
    ///
    /// A reading that began before one that was taken over already has seen an older state: it is ignored.
    /// - Returns: whether there was anything new to listen to.
    func setDependencies(_ dependencies: Set<PropertyDependency>, ticket: Int) -> Bool {
        lock.withLock {
            guard state.isValid, ticket > state.appliedTicket else { return false }
            let old = state.dependencies
            state.appliedTicket = ticket
            state.dependencies = dependencies
            let fresh = dependencies.subtracting(old)
            for dependency in fresh { dependency.observations.add(self, to: dependency.property) }
            remove(from: old.subtracting(dependencies))
            if !state.isValid { remove(from: fresh) }
            return !fresh.isEmpty
        }
    }

    /// Ends the observation.
    func invalidate() {
        lock.withLock {
            let dependencies = state.dependencies
            state = State(isValid: false)
            remove(from: dependencies)
        }
    }

    private func remove(from dependencies: Set<PropertyDependency>) {
        for dependency in dependencies { dependency.observations.remove(self, from: dependency.property) }
    }
}

/// The observation of one key path from one object.
final class KeyPathObserver<Root: AnyObject, Value>: PropertyObserver, @unchecked Sendable {
    // Safe to share: nothing changes after `init` but the weak reference, which is safe by itself. Key
    // paths of properties are immutable.

    private weak var root: Root?
    private let keyPath: KeyPath<Root, Value>
    private let options: NSKeyValueObservingOptions
    private let handler: @Sendable (Root, NSKeyValueObservedChange<Value>) -> Void

    init(
        root: Root, keyPath: KeyPath<Root, Value>, options: NSKeyValueObservingOptions,
        handler: @escaping @Sendable (Root, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.root = root
        self.keyPath = keyPath
        self.options = options
        self.handler = handler
    }

    /// Reads the value for the first time, and calls the handler if that was asked for.
    func start() {
        guard let root else { return }
        let (value, _) = track(root)
        if options.contains(.initial) { call(root, new: value, old: nil, isPrior: false) }
    }

    override func willChange() -> (() -> Void)? {
        guard isValid, let root else { return nil }
        let wantsOld = !options.isDisjoint(with: [.old, .prior])
        let old = wantsOld ? root[keyPath: keyPath] : nil
        if options.contains(.prior) { call(root, new: nil, old: old, isPrior: true) }
        return { [weak self, weak root] in
            guard let self, let root, self.isValid else { return }
            var (value, ticket) = self.track(root)
            // Another thread has told of a later change meanwhile: nobody hears of the older one after it.
            while !self.mayTell(ticket) { (value, ticket) = self.track(root) }
            self.call(root, new: value, old: old, isPrior: false)
        }
    }

    /// Reads the value and listens to everything that reported itself on the way.
    ///
    /// What is new to listen to may have changed before it was listened to, so it is read again then; a
    /// value that never settles ends after a few rounds.
    private func track(_ root: Root) -> (value: Value, ticket: Int) {
        var rounds = 0
        while true {
            let ticket = beginReading()
            let recorder = DependencyRecorder()
            let value = recorder.record { root[keyPath: keyPath] }
            rounds += 1
            if !setDependencies(recorder.dependencies, ticket: ticket) || rounds == 4 {
                return (value, ticket)
            }
        }
    }

    private func call(_ root: Root, new: Value?, old: Value?, isPrior: Bool) {
        guard isValid else { return }
        let change = NSKeyValueObservedChange(
            kind: .setting, newValue: options.contains(.new) ? new : nil,
            oldValue: options.contains(.old) ? old : nil, indexes: nil, isPrior: isPrior)
        handler(root, change)
    }
}
