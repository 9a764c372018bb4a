/// The arguments of one subcommand, checked against its declaration.
struct ParsedArguments: Equatable, Sendable {
    private(set) var values: [String: [String]] = [:]
    /// The positional arguments in order.
    private(set) var positionals: [String] = []

    /// Returns whether a flag was given.
    func flag(_ name: String) -> Bool { values[name] != nil }
    func value(_ name: String) -> String? { values[name]?.last }
    /// Returns all values of a repeated option, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }
    func duration(_ name: String) -> Duration? { value(name).flatMap(DurationText.parse) }
    func integer(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
    func number(_ name: String) -> Double? { value(name).flatMap { Double($0) } }
    /// Returns a positional argument by index; `nil` if it was omitted.
    func positional(_ index: Int) -> String? {
        positionals.indices.contains(index) ? positionals[index] : nil
    }

    mutating func append(_ value: String, toOption name: String) { values[name, default: []].append(value) }
    mutating func append(positional: String) { positionals.append(positional) }
    mutating func set(flag name: String) { values[name] = [] }
}
