/// A sender of values.
public protocol Publisher<Output, Failure> {
    /// A value.
    associatedtype Output
    /// An error that ends the values.
    associatedtype Failure: Error

    /// Begins to send values to a subscriber.
    func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == Output, Target.Failure == Failure
}

/// A receiver of values, which demands them.
public protocol Subscriber<Input, Failure> {
    /// A value.
    associatedtype Input
    /// An error that ends the values.
    associatedtype Failure: Error

    /// Takes the subscription, by which values are demanded.
    func receive(subscription: any Subscription)
    /// Takes a value; returns how many more are demanded.
    func receive(_ input: Input) -> Subscribers.Demand
    /// Takes the end.
    func receive(completion: Subscribers.Completion<Failure>)
}

/// Something that can be ended.
public protocol Cancellable {
    /// Ends it.
    func cancel()
}

/// A connection of a publisher with a subscriber.
public protocol Subscription: Cancellable {
    /// Demands values.
    func request(_ demand: Subscribers.Demand)
}

/// The types of subscribers.
public enum Subscribers {
    /// A number of values, or all.
    public struct Demand: Comparable, Sendable {
        /// The number; `nil` for all.
        var count: Int?

        /// No value.
        public static let none = Demand(count: 0)
        /// All values.
        public static let unlimited = Demand(count: nil)
        /// A number of values.
        public static func max(_ count: Int) -> Demand { Demand(count: count) }

        /// Compares numbers; all is the most.
        public static func < (one: Demand, other: Demand) -> Bool {
            (one.count ?? .max) < (other.count ?? .max)
        }

        /// Adds a demand.
        public static func += (one: inout Demand, other: Demand) {
            one.count = one.count.flatMap { count in other.count.map { count + $0 } }
        }

        /// Takes a number of values off.
        public static func -= (one: inout Demand, count: Int) { one.count = one.count.map { $0 - count } }
    }

    /// An end.
    public enum Completion<Failure: Error> {
        /// The end without an error, or with one.
        case finished, failure(Failure)
    }
}

/// The types of publishers.
public enum Publishers {
    /// A publisher of another one's values, each changed by a function.
    public struct Map<Upstream: Publisher, Output>: Publisher {
        /// The errors of the other one.
        public typealias Failure = Upstream.Failure
        let upstream: Upstream
        let transform: (Upstream.Output) -> Output

        /// Begins to send values to a subscriber.
        public func receive<Target: Subscriber>(subscriber: Target)
        where Target.Input == Output, Target.Failure == Failure {
            upstream.receive(subscriber: Changed(target: subscriber, transform: transform))
        }

        private struct Changed<Target: Subscriber>: Subscriber
        where Target.Input == Output, Target.Failure == Upstream.Failure {
            let target: Target
            let transform: (Upstream.Output) -> Output

            func receive(subscription: any Subscription) { target.receive(subscription: subscription) }
            func receive(_ input: Upstream.Output) -> Subscribers.Demand { target.receive(transform(input)) }
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                target.receive(completion: completion)
            }
        }
    }
}

extension Publisher {
    /// Returns a publisher of these values, each changed by a function.
    public func map<Result>(_ transform: @escaping (Output) -> Result) -> Publishers.Map<Self, Result> {
        Publishers.Map(upstream: self, transform: transform)
    }
}
