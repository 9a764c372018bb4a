/// A place that shows what plays and may have buttons: the speakers, the desktop, a web page.
///
/// Attach a surface to a ``NowPlayingHub``, and send the commands of its buttons to
/// ``NowPlayingHub/send(_:from:completion:)``. The hub calls both functions on a serial queue of the surface,
/// in order, without a lock held. The functions may block: no other surface waits. If a surface is more than
/// ``NowPlayingHub/feedLimit`` notifications behind, the hub drops superseded ones.
public protocol NowPlayingSurface: AnyObject, Sendable {
    /// Shows a new publication.
    func show(_ snapshot: NowPlayingSnapshot)
    /// Enables the commands that the program takes from now on.
    func enable(_ commands: RemoteCommandSet)
}

/// A receiver that carries out commands. MediaPlayer's command center is the program's receiver; the routes
/// receive volume commands.
public protocol RemoteCommandReceiver: AnyObject, Sendable {
    /// Carries out a command or declines it. Must return at once: the call is on the sender's thread, without
    /// a lock held.
    ///
    /// - Parameter completion: To be called once, on any thread, during the call or later. After
    ///   ``RemoteCommandOutcome/unsupported`` the hub asks the next receiver.
    func perform(
        _ command: RemoteCommand, from origin: RemoteCommandOrigin,
        completion: @escaping @Sendable (RemoteCommandOutcome) -> Void)
}
