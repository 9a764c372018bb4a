import AirPlayMessages

/// Reads the bytes as the body of every message; a valid body is written and read again.
public func fuzzMessageBodies(_ bytes: [UInt8]) throws(BrokenInvariant) {
    try roundTrip(SessionSetupRequest.self, bytes)
    try roundTrip(SessionSetupResponse.self, bytes)
    try roundTrip(StreamSetupRequest.self, bytes)
    try roundTrip(StreamSetupResponse.self, bytes)
    try roundTrip(TimingPeerInfo.self, bytes)
    try roundTrip(PeerList.self, bytes)
    try roundTrip(ExtendedPeerList.self, bytes)
    try roundTrip(RateAnchor.self, bytes)
    try roundTrip(FlushBuffered.self, bytes)
    try roundTrip(Teardown.self, bytes)
    try roundTrip(FeedbackResponse.self, bytes)
    try roundTrip(EventCommand.self, bytes)
    try roundTrip(ReceiverInfo.self, bytes)
    if let info = try? ReceiverInfo(body: bytes) { describe(ReceiverDescription(info: info)) }
}

private func roundTrip<Message: PropertyListMessage>(
    _ type: Message.Type, _ bytes: [UInt8]
) throws(BrokenInvariant) {
    guard let message = try? Message(body: bytes) else { return }
    guard let again = try? Message(body: message.body) else {
        throw BrokenInvariant(description: "a \(type) that was encoded can be read")
    }
    try require(
        again.propertyList.isSame(as: message.propertyList), "a \(type) that was encoded is the same")
}

/// Evaluates everything derived from a receiver's description.
func describe(_ receiver: ReceiverDescription) {
    _ = (receiver.features.names, receiver.statusFlags.names, receiver.model, receiver.deviceID)
    _ = (receiver.isInUse, receiver.isAudioTarget, receiver.supportsPTP, receiver.supportsBufferedAudio)
    _ = (receiver.requiresPassword, receiver.pairingNeed, receiver.family, receiver.quirks)
    guard let info = receiver.info else { return }
    _ = (info.name, info.publicKey, info.initialVolume?.percent, info.senderAddress)
    _ = (info.bufferedFormats?.names, info.realtimeFormats?.formats, info.txtRecord?.publicKey)
}
