/// The services requested by the full name of their speaker, in any case, or by its device id.
struct PreferredNames: Sendable {
    private let names: Set<String>
    private let devices: Set<String>

    init(_ names: [String]) {
        self.names = Set(names.map { $0.lowercased() })
        devices = Set(names.compactMap(SpeakerID.digits))
    }

    func contains(_ id: ServiceID) -> Bool {
        if names.isEmpty { return false }
        guard id.kind == .raop else { return names.contains(id.name.lowercased()) }
        let parts = id.name.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1).map { Substring($0) }
        guard parts.count == 2 else { return names.contains(id.name.lowercased()) }
        return names.contains(parts[1].lowercased()) || devices.contains(parts[0].uppercased())
    }
}
