import AirPlayMessages
import TuttiSystemIO

/// Builds the response to `GET /info`.
struct SpeakerInfo: Sendable {
    let configuration: SpeakerConfiguration
    let identity: any SpeakerIdentifying

    /// - Parameter sender: The peer of the connection that asks; `nil` on the event channel.
    func info(volume: Volume, isInUse: Bool, sender: SocketAddress?) -> ReceiverInfo {
        let standard = ReceiverInfo(
            name: configuration.name, model: configuration.model, deviceID: identity.deviceID,
            features: configuration.features, statusFlags: flags(isInUse: isInUse),
            sourceVersion: configuration.sourceVersion, publicKey: identity.publicKey,
            bufferedFormats: configuration.bufferedFormats, realtimeFormats: configuration.realtimeFormats,
            initialVolume: volume)
        var fields = standard.fields
        fields["macAddress"] = .string(identity.deviceID)
        fields["pi"] = .string(identity.publicID)
        fields["psi"] = .string(identity.publicSystemID)
        fields["vv"] = 2
        // 3: the sender sets the volume, in decibels.
        fields["volumeControlType"] = 3
        fields["keepAliveSendStatsAsBody"] = false
        fields["keepAliveLowPower"] = true
        fields["canRecordScreenStream"] = false
        fields["screenDemoMode"] = false
        fields["playbackCapabilities"] = [
            "supportsInterstitials": false, "supportsFPSSecureStop": false,
            "supportsUIForAudioOnlyContent": false,
        ]
        if let sender { fields["senderAddress"] = .string(sender.description) }
        if let manufacturer = configuration.manufacturer { fields["manufacturer"] = .string(manufacturer) }
        let records = configuration.txtRecords()
        if !records.airPlay.isEmpty { fields["txtAirPlay"] = .data(records.airPlay) }
        if !records.raop.isEmpty { fields["txtRAOP"] = .data(records.raop) }
        return ReceiverInfo(fields: fields)
    }

    private func flags(isInUse: Bool) -> AirPlayStatusFlags {
        if let flags = configuration.statusFlags { return flags(isInUse) }
        var flags: AirPlayStatusFlags = .audioCableAttached
        if configuration.password != nil { flags.insert(.passwordRequired) }
        if configuration.requiresPIN { flags.insert(.pinRequired) }
        // *Observed*: receivers flag a session this way.
        if isInUse { flags.insert(.sessionActive) }
        return flags
    }
}
