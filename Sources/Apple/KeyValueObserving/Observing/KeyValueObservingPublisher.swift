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

        /// The observed object, which the publisher and its subscriptions retain.
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
            let subscription = KeyValueSubscription(
                object: object, keyPath: keyPath, options: options, receive: subscriber.receive)
            subscriber.receive(subscription: subscription)
            subscription.start()
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

/// One subscriber's observation of a property.
private final class KeyValueSubscription<Subject: NSObject, Value>: Subscription, @unchecked Sendable {
    // Safe to share: the variables are touched only with `lock` held. `order` is held while the subscriber
    // receives, so that it gets one value at a time, in their order.

    private let lock = NSLock()
    private let order = NSRecursiveLock()
    private var demand = Subscribers.Demand.none
    /// The last value for which there was no demand.
    private var missed: Value?
    private var observation: NSKeyValueObservation?
    private var object: Subject?
    private var receive: ((Value) -> Subscribers.Demand)?
    private let keyPath: KeyPath<Subject, Value>
    private let options: NSKeyValueObservingOptions

    init(
        object: Subject, keyPath: KeyPath<Subject, Value>, options: NSKeyValueObservingOptions,
        receive: @escaping (Value) -> Subscribers.Demand
    ) {
        (self.object, self.keyPath, self.options, self.receive) = (object, keyPath, options, receive)
    }

    /// Begins to observe, unless the subscriber has cancelled already.
    func start() {
        guard let object = lock.withLock({ object }) else { return }
        let observation = object.observe(keyPath, options: options) { [weak self] object, _ in
            self?.changed(object)
        }
        let isOver = lock.withLock {
            self.observation = observation
            return self.object == nil
        }
        if isOver { cancel() }
    }

    private func changed(_ object: Subject) {
        order.withLock {
            let value = object[keyPath: keyPath]
            let isWanted = lock.withLock {
                if demand > .none { return true }
                missed = value
                return false
            }
            if isWanted { give(value) }
        }
    }

    func request(_ more: Subscribers.Demand) {
        order.withLock {
            let value: Value? = lock.withLock {
                demand += more
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
            missed = nil
            demand -= 1
            return self.receive
        }
        guard let more = receive?(value), more > .none else { return }
        request(more)
    }

    func cancel() {
        // Released without the lock held: their ends may run foreign code.
        let ended = lock.withLock {
            defer { (object, receive, observation, missed) = (nil, nil, nil, nil) }
            return (object, receive, observation, missed)
        }
        ended.2?.invalidate()
    }
}
#endif
