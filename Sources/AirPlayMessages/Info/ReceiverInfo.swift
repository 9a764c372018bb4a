/// Answer to `GET /info`. Every key may be missing or have a wrong type; such a one is `nil`.
public struct ReceiverInfo: PropertyListMessage, Hashable {
    /// All keys as they came, for printing.
    public let fields: [String: PropertyList]

    public init(fields: [String: PropertyList]) { self.fields = fields }

    /// What a receiver says of itself; further keys through ``init(fields:)``.
    public init(
        name: String, model: String, deviceID: String, features: AirPlayFeatures,
        statusFlags: AirPlayStatusFlags = [], sourceVersion: String, publicKey: [UInt8],
        bufferedFormats: AudioFormatSet, realtimeFormats: AudioFormatSet, initialVolume: Volume = .full
    ) {
        fields = [
            "name": .string(name),
            "model": .string(model),
            "deviceID": .string(deviceID),
            "features": .unsigned(features.rawValue),
            "statusFlags": .unsigned(statusFlags.rawValue),
            "sourceVersion": .string(sourceVersion),
            "protocolVersion": "1.1",
            "pk": .data(publicKey),
            "initialVolume": .real(initialVolume.decibels),
            "supportedFormats": [
                "bufferStream": .unsigned(bufferedFormats.rawValue),
                "audioStream": .unsigned(realtimeFormats.rawValue),
            ],
        ]
    }

    public init(propertyList: PropertyList) throws(MessageError) {
        fields = try PropertyListFields(propertyList).dictionary
    }

    public var propertyList: PropertyList { .dictionary(fields) }

    /// The name that users gave the device.
    public var name: String? { fields["name"]?.stringValue }
    public var model: String? { fields["model"]?.stringValue }
    public var manufacturer: String? { fields["manufacturer"]?.stringValue }
    /// A MAC address as text.
    public var deviceID: String? { fields["deviceID"]?.stringValue ?? fields["macAddress"]?.stringValue }
    /// From `features`, else from `featuresEx`.
    public var features: AirPlayFeatures? {
        fields["features"]?.unsignedValue.map { AirPlayFeatures(rawValue: $0) }
            ?? fields["featuresEx"]?.stringValue.flatMap { AirPlayFeatures(base64: $0) }
    }
    public var statusFlags: AirPlayStatusFlags? {
        fields["statusFlags"]?.unsignedValue.map { AirPlayStatusFlags(rawValue: $0) }
    }
    public var sourceVersion: String? { fields["sourceVersion"]?.stringValue }
    public var protocolVersion: String? { fields["protocolVersion"]?.stringValue }
    /// `pi`, stable for a device.
    public var publicID: String? { fields["pi"]?.stringValue }
    /// `psi`
    public var publicSystemID: String? { fields["psi"]?.stringValue }
    /// Ed25519 long-term public key, 32 bytes.
    public var publicKey: [UInt8]? { fields["pk"]?.dataValue.flatMap { $0.count == 32 ? $0 : nil } }
    /// The volume at which the receiver stands.
    public var initialVolume: Volume? { fields["initialVolume"]?.realValue.map { Volume(decibels: $0) } }
    /// Our address and port as the receiver sees them.
    public var senderAddress: String? { fields["senderAddress"]?.stringValue }
    /// What a buffered stream may carry. Devices understate and overstate it (*observed*).
    public var bufferedFormats: AudioFormatSet? { formats(of: "bufferStream") }
    /// What a realtime stream may carry.
    public var realtimeFormats: AudioFormatSet? { formats(of: "audioStream") }
    /// The TXT record inside.
    public var txtRecord: AirPlayTXTRecord? {
        fields["txtAirPlay"]?.dataValue.map { AirPlayTXTRecord(TXTFields(data: $0)) }
    }

    /// The extended table holds the numbers of bits, the plain one a mask; the first wins.
    private func formats(of stream: String) -> AudioFormatSet? {
        if let bits = fields["supportedAudioFormatsExtended"]?[stream]?.arrayValue {
            let numbers = bits.compactMap(\.integerValue).filter { (0...63).contains($0) }
            return AudioFormatSet(rawValue: numbers.reduce(0) { $0 | 1 << UInt64($1) })
        }
        return fields["supportedFormats"]?[stream]?.unsignedValue.map { AudioFormatSet(rawValue: $0) }
    }
}
