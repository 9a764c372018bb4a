import AirPlayMessages
import Synchronization

/// The speaker's own buttons and volume. A sender hears of them on its event channel, or by DACP if it has
/// none, as in AirPlay 1.
extension ReceiverServer {
    /// Sets the volume from the speaker's side, and tells the sender.
    func setVolume(_ volume: Volume) {
        let sound = state.withLock { state in
            state.volume = volume
            return state.sound
        }
        sound?.setVolume(volume)
        emit(.volume(volume))
        tell(.updateInfo(info(for: nil)), or: .volume(volume))
    }

    /// Sends a button press to the sender.
    func press(_ command: MediaRemoteCommand) { tell(.mediaRemote(command), or: DACPCommand(command)) }

    private func tell(_ command: EventCommand, or remoteCommand: DACPCommand?) {
        let (owner, remote) = state.withLock { state in
            (state.ownership.owner.flatMap { state.connections[$0.id] }, state.sender?.remote)
        }
        guard let owner, !owner.tell(command), let remote, let remoteCommand else { return }
        parts.sendCommand(remote, remoteCommand)
    }
}

extension DACPCommand {
    /// The command of a button; `nil` for one that DACP does not have.
    init?(_ button: MediaRemoteCommand) {
        switch button {
        case .play: self = .play
        case .pause: self = .pause
        case .nextItem: self = .nextItem
        case .previousItem: self = .previousItem
        default: return nil
        }
    }
}
