/// Response to `GET /info`. Any key may be missing or have a wrong type, and is then `nil`.
public struct ReceiverInfo: PropertyListMessage, Hashable {
    /// All keys, as received, for printing.
    package let fields: [String: PropertyList]

    /// Creates a response from its fields.
    package init(fields: [String: PropertyList]) { self.fields = fields }

    /// Creates a response with the standard keys; for further keys use ``init(fields:)``.
    package init(
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

    package init(propertyList: PropertyList) throws(MessageError) {
        fields = try PropertyListFields(propertyList).dictionary
    }

    package var propertyList: PropertyList { .dictionary(fields) }

    /// The name that users gave the device.
    package var name: String? { fields["name"]?.stringValue }
    /// The model identifier.
    package var model: String? { fields["model"]?.stringValue }
    /// The manufacturer.
    package var manufacturer: String? { fields["manufacturer"]?.stringValue }
    /// A MAC address as text.
    package var deviceID: String? { fields["deviceID"]?.stringValue ?? fields["macAddress"]?.stringValue }
    /// The features, from `features`, else from `featuresEx`.
    package var features: AirPlayFeatures? {
        fields["features"]?.unsignedValue.map { AirPlayFeatures(rawValue: $0) }
            ?? fields["features"]?.stringValue.flatMap { AirPlayFeatures(text: $0) }
            ?? fields["featuresEx"]?.stringValue.flatMap { AirPlayFeatures(base64: $0) }
    }
    /// The announced state: a number, or as text of `0x` and digits (*observed*, UxPlay and programs like it).
    package var statusFlags: AirPlayStatusFlags? {
        fields["statusFlags"]?.unsignedValue.map { AirPlayStatusFlags(rawValue: $0) }
            ?? fields["statusFlags"]?.stringValue.flatMap { AirPlayStatusFlags(text: $0) }
    }
    /// The AirPlay version.
    package var sourceVersion: String? { fields["sourceVersion"]?.stringValue }
    /// The AirPlay protocol version.
    package var protocolVersion: String? { fields["protocolVersion"]?.stringValue }
    /// `pi`, a stable identifier of the device.
    package var publicID: String? { fields["pi"]?.stringValue }
    /// `psi`
    package var publicSystemID: String? { fields["psi"]?.stringValue }
    /// Ed25519 long-term public key, 32 bytes.
    package var publicKey: [UInt8]? { fields["pk"]?.dataValue.flatMap { $0.count == 32 ? $0 : nil } }
    /// The receiver's current volume.
    package var initialVolume: Volume? { fields["initialVolume"]?.realValue.map { Volume(decibels: $0) } }
    /// Our address and port as seen by the receiver.
    package var senderAddress: String? { fields["senderAddress"]?.stringValue }
    /// The formats announced for buffered streams. Devices understate and overstate them (*observed*).
    package var bufferedFormats: AudioFormatSet? { formats(of: "bufferStream") }
    /// The formats announced for realtime streams.
    package var realtimeFormats: AudioFormatSet? { formats(of: "audioStream") }
    /// The TXT record in `txtAirPlay`.
    package var txtRecord: AirPlayTXTRecord? {
        fields["txtAirPlay"]?.dataValue.map { AirPlayTXTRecord(TXTFields(data: $0)) }
    }

    /// Reads the extended table, which holds bit numbers, else the plain one, which holds a mask.
    private func formats(of stream: String) -> AudioFormatSet? {
        if let bits = fields["supportedAudioFormatsExtended"]?[stream]?.arrayValue {
            let numbers = bits.compactMap(\.integerValue).filter { (0...63).contains($0) }
            return AudioFormatSet(rawValue: numbers.reduce(0) { $0 | 1 << UInt64($1) })
        }
        return fields["supportedFormats"]?[stream]?.unsignedValue.map { AudioFormatSet(rawValue: $0) }
    }
}
