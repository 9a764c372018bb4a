import Foundation

/// Keeps an observation alive: it ends with ``invalidate()`` or with the last reference to this object.
///
/// It keeps neither the observed object alive, nor is it kept alive by it.
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
    // Safe to share: the observer never changes, and is safe itself.

    private let observer: PropertyObserver

    init(observer: PropertyObserver) {
        self.observer = observer
        super.init()
    }

    deinit { observer.invalidate() }

    /// Ends the observation, from any thread. No call of the handler begins after this returns; one that
    /// runs on another thread may still finish.
    public func invalidate() { observer.invalidate() }
}

/// An object whose properties can be observed.
public protocol _KeyValueCodingAndObserving: AnyObject {}

extension NSObject: _KeyValueCodingAndObserving {}

extension _KeyValueCodingAndObserving {
    /// Calls a handler whenever the value at a key path changes.
    ///
    /// What the value depends on is found by reading it: properties of this package's classes report
    /// themselves. So paths through several objects, properties of subclasses and properties computed from
    /// observable ones work; properties that report nothing never call the handler.
    ///
    /// - Parameters:
    ///   - keyPath: what to observe.
    ///   - options: which values the handler gets, and whether it is called at once and before changes.
    ///   - changeHandler: runs on the thread that changes the property, before the change returns.
    /// - Returns: a token; the observation ends with it.
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
