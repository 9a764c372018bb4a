extension Equalizer {
    /// The equalisers that have a name on all surfaces.
    public static let presets: [(name: String, equalizer: Equalizer)] = [
        ("flat", Equalizer(gains: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
        ("bass", Equalizer(gains: [6, 6, 5, 3, 1, 0, 0, 0, 0, 0])),
        ("treble", Equalizer(gains: [0, 0, 0, 0, 0, 1, 2, 4, 5, 6])),
        ("voice", Equalizer(gains: [-6, -4, -2, 0, 2, 4, 4, 3, 1, -1])),
        ("loud", Equalizer(gains: [5, 4, 3, 1, 0, -1, 0, 2, 4, 5])),
    ]

    /// Returns the equaliser of a name; `nil` if there is none.
    public static func preset(named name: String) -> Equalizer? {
        presets.first { $0.name == name.lowercased() }?.equalizer
    }
}
