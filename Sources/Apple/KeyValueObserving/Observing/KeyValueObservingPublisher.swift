#if TUTTI_COMBINE
import Combine
import Foundation

extension NSObject {
    /// A publisher of an observed property's values, made by `publisher(for:options:)`.
    ///
    /// Exists where the package was built with `TUTTI_COMBINE`, because Linux has no Combine of its own: see
    /// docs/how-to/use-as-a-dependency.md.
    public struct KeyValueObservingPublisher<Subject: NSObject, Value>: Publisher, Equatable {
        /// The value of the property.
        public typealias Output = Value
        /// An observation never fails.
        public typealias Failure = Never

        /// The observed object, which the publisher retains and its subscriptions do not.
        public let object: Subject
        /// The observed property.
        public let keyPath: KeyPath<Subject, Value>
        /// The options of the observation; those for old and new values have no effect.
        public let options: NSKeyValueObservingOptions

        /// Creates a publisher of the values at a key path.
        public init(
            object: Subject, keyPath: KeyPath<Subject, Value>, options: NSKeyValueObservingOptions
        ) {
            (self.object, self.keyPath, self.options) = (object, keyPath, options)
        }

        /// Begins an observation for a subscriber.
        ///
        /// The subscriber gets each value on the thread that changes the property, before the change returns. Of
        /// the values for which it has no demand, it gets the last one as soon as it demands more.
        public func receive<Target: Subscriber>(subscriber: Target)
        where Target.Input == Value, Target.Failure == Never {
            let subscription = KeyValueSubscription<Subject, Value>(
                keyPath: keyPath, receive: subscriber.receive)
            subscriber.receive(subscription: subscription)
            subscription.start(object, options)
        }

        /// Whether two publishers observe the same property of one object, with the same options.
        public static func == (one: Self, other: Self) -> Bool {
            one.object === other.object && one.keyPath == other.keyPath && one.options == other.options
        }

        /// Returns a publisher that tells only that the property has changed.
        public func didChange() -> Publishers.Map<Self, Void> { map { _ in } }
    }
}

extension _KeyValueCodingAndObserving where Self: NSObject {
    /// Returns a publisher of the values at a key path.
    ///
    /// - Parameters:
    ///   - keyPath: The key path to observe; as for `observe`, its properties must report their changes.
    ///   - options: Whether the present value comes first, and whether a value comes before each change too.
    public func publisher<Value>(
        for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
        NSObject.KeyValueObservingPublisher(object: self, keyPath: keyPath, options: options)
    }
}

/// One subscriber's observation of a property. Does not retain the object.
private final class KeyValueSubscription<Subject: NSObject, Value>: Subscription, @unchecked Sendable {
    // Safe to share: the variables are touched only with `lock` held, and nothing is released with it held, because an end
    // may run foreign code. `order` is held while the subscriber receives, so that it gets one value at a time, in order.

    private let lock = NSLock()
    private let order = NSRecursiveLock()
    private var demand = Subscribers.Demand.none
    /// The last value for which there was no demand.
    private var missed: Value?
    private var observation: NSKeyValueObservation?
    /// The subscriber; `nil` after ``cancel()``.
    private var receive: ((Value) -> Subscribers.Demand)?
    private let keyPath: KeyPath<Subject, Value>

    init(keyPath: KeyPath<Subject, Value>, receive: @escaping (Value) -> Subscribers.Demand) {
        (self.keyPath, self.receive) = (keyPath, receive)
    }

    /// Begins to observe, unless the subscriber has cancelled already.
    func start(_ object: Subject, _ options: NSKeyValueObservingOptions) {
        guard lock.withLock({ receive != nil }) else { return }
        let observation = object.observe(keyPath, options: options) { [weak self] object, _ in
            self?.changed(object)
        }
        let isOver = lock.withLock {
            if receive != nil { self.observation = observation }
            return receive == nil
        }
        if isOver { observation.invalidate() }
    }

    private func changed(_ object: Subject) {
        order.withLock {
            let value = object[keyPath: keyPath]
            let (isWanted, old): (Bool, Value?) = lock.withLock {
                guard receive != nil else { return (false, nil) }
                if demand > .none { return (true, nil) }
                defer { missed = value }
                return (false, missed)
            }
            withExtendedLifetime(old) {}
            if isWanted { give(value) }
        }
    }

    func request(_ more: Subscribers.Demand) {
        let isDue = lock.withLock {
            demand += more
            return demand > .none && missed != nil
        }
        // Without a value to give, the subscriber may ask from within any lock of its own.
        guard isDue else { return }
        order.withLock {
            let value: Value? = lock.withLock {
                guard demand > .none else { return nil }
                defer { missed = nil }
                return missed
            }
            if let value { give(value) }
        }
    }

    /// Gives the subscriber a value that it has demanded.
    private func give(_ value: Value) {
        let receive = lock.withLock {
            demand -= 1
            return self.receive
        }
        guard let more = receive?(value), more > .none else { return }
        request(more)
    }

    func cancel() {
        let ended = lock.withLock {
            defer { (receive, observation, missed) = (nil, nil, nil) }
            return (receive, observation, missed)
        }
        ended.1?.invalidate()
    }
}
#endif
