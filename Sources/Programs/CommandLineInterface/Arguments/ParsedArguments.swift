/// The arguments of one subcommand, checked against its declaration.
public struct ParsedArguments: Equatable, Sendable {
    private(set) var values: [String: [String]] = [:]
    /// The positional arguments in order.
    public private(set) var positionals: [String] = []

    /// Returns whether a flag was given.
    public func flag(_ name: String) -> Bool { values[name] != nil }
    /// Returns the last value of an option; `nil` without one.
    public func value(_ name: String) -> String? { values[name]?.last }
    /// Returns all values of a repeated option, in order.
    public func all(_ name: String) -> [String] { values[name] ?? [] }
    /// Returns an option's value as a duration; `nil` without one.
    public func duration(_ name: String) -> Duration? { value(name).flatMap(DurationText.parse) }
    /// Returns an option's value as a whole number; `nil` without one.
    public func integer(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
    /// Returns an option's value as a number; `nil` without one.
    public func number(_ name: String) -> Double? { value(name).flatMap { Double($0) } }
    /// Returns a positional argument by index; `nil` if it was omitted.
    public func positional(_ index: Int) -> String? {
        positionals.indices.contains(index) ? positionals[index] : nil
    }

    mutating func append(_ value: String, toOption name: String) { values[name, default: []].append(value) }
    mutating func append(positional: String) { positionals.append(positional) }
    mutating func set(flag name: String) { values[name] = [] }
}
