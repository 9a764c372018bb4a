import TuttiSystemIO

// Spelling in the file.

extension HouseSettings.Access: ConfigurationChoice {}
extension HouseSettings.Bus: ConfigurationChoice {}
extension HouseSettings.Preference: ConfigurationChoice {}
extension HouseSettings.Resumption: ConfigurationChoice {}

extension LogLevel: ConfigurationRepresentable {
    init?(_ value: ConfigurationValue) {
        guard case .string(let word) = value else { return nil }
        self.init(word: word)
    }

    var configurationValue: ConfigurationValue? { .string(word) }
}

extension IPAddress: ConfigurationRepresentable {
    init?(_ value: ConfigurationValue) {
        guard case .string(let text) = value else { return nil }
        self.init(text)
    }

    var configurationValue: ConfigurationValue? { .string(description) }
}

extension HouseSettings.ListenAddress: ConfigurationRepresentable {
    init?(_ value: ConfigurationValue) {
        guard case .string(let text) = value else { return nil }
        guard text != "*" else {
            self = .all
            return
        }
        guard let address = IPAddress(text) else { return nil }
        self = .address(address)
    }

    var configurationValue: ConfigurationValue? {
        switch self {
        case .all: .string("*")
        case .address(let address): address.configurationValue
        }
    }
}

extension HouseSettings.SpeakerAddress: ConfigurationRepresentable {
    init?(_ value: ConfigurationValue) {
        guard case .string(let text) = value,
            let endpoint = EndpointText(text, defaultPort: Self.usualPort),
            let address = IPAddress(endpoint.host)
        else { return nil }
        self.init(address, port: endpoint.port)
    }

    var configurationValue: ConfigurationValue? { .string("\(address)") }
}

extension HouseSettings.ClockPortPair: ConfigurationRepresentable {
    init?(_ value: ConfigurationValue) {
        guard let ports = [UInt16](value), ports.count == 2 else { return nil }
        self.init(event: ports[0], general: ports[1])
    }

    var configurationValue: ConfigurationValue? { [event, general].configurationValue }
}
