/// The volume of an output that is made again and again, a value.
struct KeptVolume {
    /// The volume for the next output; `nil` as long as the server's memory decides.
    private(set) var wanted: MixerVolume?
    private var reported: MixerVolume?

    /// Sets the volume from this side.
    mutating func set(_ volume: MixerVolume) { (wanted, reported) = (volume, volume) }

    /// Takes the volume that the server shows.
    ///
    /// - Parameter isReady: Whether the output is in the server; before, its volume is the server's memory,
    ///   which a known one replaces.
    /// - Returns: Whether the volume is taken, and differs from the known one.
    mutating func take(_ volume: MixerVolume, isReady: Bool) -> Bool {
        if !isReady, wanted != nil { return false }
        if let reported, reported.isClose(to: volume) { return false }
        set(volume)
        return true
    }
}
