import AirPlayMessages

/// Reads the bytes as a TXT record, and as the text forms of feature and status bits.
public func fuzzServiceText(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let fields = TXTFields(data: bytes)
    try require(fields.values.count <= TXTFields.countLimit, "keys are bounded")
    let airPlay = AirPlayTXTRecord(fields)
    let raop = RAOPTXTRecord(fields)
    _ = (airPlay.accessControlLevel, airPlay.isGroupLeader, airPlay.requiredSenderFeatures)
    _ = (airPlay.vodkaVersion, raop.codecs, raop.encryptionTypes, raop.metadataKinds, raop.transports)
    _ = (raop.versionNumber, raop.sampleRate, raop.sampleSize, raop.channelCount, raop.hasRSAKey)
    for key in [airPlay.publicKey, raop.publicKey].compactMap({ $0 }) {
        try require(key.count == 32, "a public key has 32 bytes")
    }
    describe(ReceiverDescription(airPlay: airPlay, raop: raop))
    try readText(String(decoding: bytes, as: UTF8.self))
}

private func readText(_ text: String) throws(BrokenInvariant) {
    if let features = AirPlayFeatures(text: text) {
        try require(
            AirPlayFeatures(text: features.text) == features, "features that were written are the same")
        try require(features.names.count == features.rawValue.nonzeroBitCount, "each bit has a name")
    }
    _ = AirPlayFeatures(base64: text)
    _ = AirPlayStatusFlags(text: text)?.names
    if let parts = RAOPTXTRecord.split(instanceName: text) {
        try require(parts.deviceID.utf8.count == 17, "an address has six groups of two digits")
    }
}
