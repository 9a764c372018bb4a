/// A place where people see what plays, and may have buttons: the speakers, the desktop, a web page.
///
/// Attach it to a ``NowPlayingHub``, and send what its buttons ask for to ``NowPlayingHub/send(_:from:completion:)``.
/// Both functions are called on one queue of the surface's own, one call at a time, in the order of what
/// happened, and without a lock held. They may take their time: no other surface waits. One that is more than
/// ``NowPlayingHub/feedLimit`` behind misses what newer news has made void.
public protocol NowPlayingSurface: AnyObject, Sendable {
    /// What plays is this from now on.
    func show(_ snapshot: NowPlayingSnapshot)
    /// The program takes these commands from now on.
    func enable(_ commands: RemoteCommandSet)
}

/// Who carries out commands. MediaPlayer's command center is one for the program; the routes are one for
/// the volume.
public protocol RemoteCommandReceiver: AnyObject, Sendable {
    /// Carries out a command, or says that it does not take it.
    ///
    /// - Parameter completion: To be called once, on any thread, at once or later. After
    ///   ``RemoteCommandOutcome/unsupported`` the next receiver is asked.
    ///
    /// Called on the sender's thread, which it must not hold up; without a lock held.
    func perform(
        _ command: RemoteCommand, from origin: RemoteCommandOrigin,
        completion: @escaping @Sendable (RemoteCommandOutcome) -> Void)
}
