import TuttiCommandLineInterface
import TuttiHouse

/// An equaliser as a person types it: the name of a preset, `off`, or ten gains with commas.
enum EqualizerText {
    static let words = Equalizer.presets.map(\.name) + ["off"]

    /// Returns the body of the request; `nil` for another text.
    static func body(_ text: String) -> JSONValue? {
        if text == "off" { return .members(["gains": .null]) }
        if Equalizer.preset(named: text) != nil { return .members(["preset": .string(text.lowercased())]) }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let gains = parts.compactMap { Double($0) }.filter(Equalizer.range.contains)
        guard parts.count == Equalizer.frequencies.count, gains.count == parts.count else { return nil }
        return .members(["gains": .array(gains.map { .number($0, decimals: 1) })])
    }
}
