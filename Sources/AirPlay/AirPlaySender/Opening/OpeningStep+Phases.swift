extension AirPlay2Handshake {
    /// The step that is being taken; `nil` while the program is waited for, and at the end.
    var step: OpeningStep.Kind? {
        switch phase {
        case .connecting, .settling, .addingPeer: .port
        case .describing: .info
        case .gettingIn, .reconnecting: .access
        case .bindingPorts, .settingUpSession: .session
        case .openingEvents, .pausingForEvents: .events
        case .recording, .settingPeers: .record
        case .settingUpStream, .openingStream: .stream
        case .idle, .awaitingFormat, .over: nil
        }
    }
}

extension AirPlay1Handshake {
    /// The step that is being taken; `nil` while the program is waited for, and at the end.
    var step: OpeningStep.Kind? {
        switch phase {
        case .connecting, .bindingPorts: .port
        case .verifying, .authorizing: .access
        case .asking: .info
        case .announcing: .session
        case .settingUp: .stream
        case .recording: .record
        case .idle, .awaitingFormat, .over: nil
        }
    }
}
