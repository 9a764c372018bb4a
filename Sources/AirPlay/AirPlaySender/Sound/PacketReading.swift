import AirPlayMessages

/// The packets of a group as a session reads them: those of the ``PacketStore``, or a ``SpeakerSound`` of its own.
///
/// Any thread. Indexes and frames are the store's; only payloads may differ from the store's.
package protocol PacketReading: AnyObject, Sendable {
    /// The index that the next packet gets.
    var endIndex: Int64 { get }
    /// The end of the last packet; `nil` when there is none.
    var endFrame: Int64? { get }
    /// Returns the first packet at or after `index`, to be sent.
    func packet(atOrAfter index: Int64) -> PacketStore.Packet?
    /// Returns the packet that holds `frame`, or the first one after it, for its place and format.
    func packet(holding frame: Int64) -> PacketStore.Packet?
    /// Returns the index to start reading at so that `leading` packets precede the packet that holds `frame`.
    func index(holding frame: Int64, leading: Int) -> Int64
    /// Returns the packet of silence of a format, if its streams begin with one.
    func silence(_ format: AudioWireFormat) -> PacketStore.Packet?
    /// Calls `body` after every append, on the appending thread; `body` must only post a note.
    ///
    /// - Returns: A token for ``unwatch(_:)``.
    func watch(_ body: @escaping @Sendable () -> Void) -> Int
    /// Removes a watcher. A call of its body under way may still finish.
    func unwatch(_ token: Int)
}
