import Foundation

/// The token of an observation, which ends with ``invalidate()`` or with the last reference to the token.
///
/// The token does not retain the observed object, nor does the object retain the token.
public final class NSKeyValueObservation: NSObject, Sendable {
    private let observer: PropertyObserver

    init(observer: PropertyObserver) {
        self.observer = observer
        super.init()
    }

    deinit { observer.invalidate() }

    /// Ends the observation, from any thread. No call of the handler begins after this function returns; a
    /// call already running on another thread may still finish.
    public func invalidate() { observer.invalidate() }
}

/// An object whose properties can be observed.
public protocol _KeyValueCodingAndObserving: AnyObject {}

extension NSObject: _KeyValueCodingAndObserving {}

extension _KeyValueCodingAndObserving {
    /// Calls a handler whenever the value at a key path changes.
    ///
    /// The observation finds its dependencies by reading the value, because observable properties of Tutti's
    /// classes report each read. Paths through several objects, properties of subclasses and properties
    /// computed from observable properties therefore work; a property that reports no reads never triggers
    /// the handler.
    ///
    /// - Parameters:
    ///   - keyPath: The key path to observe.
    ///   - options: The values that the handler gets, and whether it is also called at once and before
    ///     changes.
    ///   - changeHandler: Called on the thread that changes the property, before the change returns.
    /// - Returns: A token; the observation ends when the token is released.
    @preconcurrency
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observer = KeyPathObserver(
            root: self, keyPath: keyPath, options: options, handler: changeHandler)
        observer.start()
        return NSKeyValueObservation(observer: observer)
    }
}
