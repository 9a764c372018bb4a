/// A weak reference that a collection can hold. Any thread.
package struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    /// The object; `nil` once it was deallocated.
    package weak let object: Object?

    /// Refers to `object` without keeping it alive.
    package init(_ object: Object?) { self.object = object }
}

/// A weak reference to a program's delegate, which need not be `Sendable`. Any thread may hold it.
package struct WeakDelegate<Delegate>: @unchecked Sendable {
    // Safe to share: the reference is atomic, and its owner calls the delegate on the delegate's queue only.
    private weak let object: AnyObject?

    /// Refers to a delegate, an instance of `Delegate`, without keeping it alive.
    package init(_ delegate: AnyObject?) { object = delegate }

    /// The delegate; `nil` once it was deallocated.
    package var delegate: Delegate? { object as? Delegate }
}
