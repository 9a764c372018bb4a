import TuttiMediaTime

/// A source of live sound: a virtual output of the desktop, or a pipe. Any thread.
public protocol LiveSource: AnyObject, Sendable {
    /// Begins to feed a player, until ``close()``.
    ///
    /// - Parameter player: Gets the sound from now on, whether it plays or not.
    /// - onVolume: receives the volume that a user sets at the source, in percent; 0 when muted. Any thread.
    /// - Throws: A sentence for the user, if there can be no such source.
    func open(_ player: LivePlayer, onVolume: @escaping @Sendable (Double) -> Void) throws(RouteError)
    /// Takes the latency in effect, in seconds: the time from the arrival of sound to the moment when it is
    /// heard.
    func setLatency(_ seconds: Double)
    /// Shows the volume of what is heard, in percent.
    func setVolume(_ percent: Double)
    /// Looks at the player again, whose ``LivePlayer/phase`` has changed.
    func phaseDidChange()
    /// Ends the source. No sound follows the return.
    func close() async
}

extension LiveSource {
    /// Does nothing: a source without a clock of its own asks the player.
    public func setLatency(_ seconds: Double) {}
    /// Does nothing: a source may have no volume.
    public func setVolume(_ percent: Double) {}
    /// Does nothing.
    public func phaseDidChange() {}
}

/// A report of a ``LivePlayer``.
public enum LiveEvent: Sendable, Hashable {
    /// Sound has come while nothing plays: call ``LivePlayer/start()`` or ``LivePlayer/decline()``.
    case soundArrived
    /// The sound is heard from now on.
    case running
    /// The latency in effect has changed, seconds.
    case latency(Double)
    /// Nothing but silence has come for the player's idle time; it has stopped.
    case idle
    /// Another player of the same outputs has taken them, or they are gone; the player has stopped.
    case halted
}
