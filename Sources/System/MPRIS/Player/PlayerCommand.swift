import TuttiDBus

/// A command of the desktop to a player.
package enum PlayerCommand: Hashable, Sendable {
    /// Shows the player's window.
    case raise
    /// Ends the player.
    case quit
    /// Goes to the next track.
    case next
    /// Goes to the previous track, or the beginning of this one.
    case previous
    /// Plays.
    case play
    /// Pauses.
    case pause
    /// Plays if paused, else pauses.
    case playPause
    /// Stops.
    case stop
    /// Continues at this second of the current track.
    case seek(seconds: Double)
    /// Adds what is at the address, and plays it.
    case open(address: String)
    /// Plays at this speed, which is within the player's.
    case setRate(Double)
    /// Sets the order after a track.
    case setLoop(PlayerState.Loop)
    /// Turns random order on or off.
    case setShuffle(Bool)
    /// Sets the volume, 0 ... 1.
    case setVolume(Double)
    /// Adds what is at the address, after a track of the list or, with `nil`, before all.
    case addTrack(address: String, after: String?, plays: Bool)
    /// Removes a track of the list.
    case removeTrack(String)
    /// Plays a track of the list.
    case goTo(String)
}

/// The effect of a call on a player.
enum PlayerAction: Hashable, Sendable {
    /// The call only asks.
    case reply(BusReply)
    /// The call wants something; the command's outcome is the reply.
    case perform(PlayerCommand)

    static let done = PlayerAction.reply(.values([]))

    static func fail(_ name: BusFailure.Name, _ message: String) -> PlayerAction {
        .reply(.failure(BusFailure(name, message)))
    }
}
