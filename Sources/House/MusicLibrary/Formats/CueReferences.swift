/// The tracks that the cue sheets of a folder make of its sound files.
struct CueReferences {
    /// The part of a cue sheet that belongs to one sound file.
    struct Part: Hashable {
        var sheet: CueSheet
        var tracks: [CueSheet.Track]
    }

    /// By the name of the sound file.
    private(set) var parts: [String: Part] = [:]
    /// Cue sheets that cannot be used.
    private(set) var bad: [String] = []

    /// - Parameters:
    ///   - sheets: Cue sheets by name; `nil` for one that cannot be parsed.
    ///   - sounds: The names of the folder's sound files.
    init(_ sheets: [(name: String, sheet: CueSheet?)], sounds: some Sequence<String>) {
        let names = Dictionary(sounds.map { ($0.lowercased(), $0) }) { first, _ in first }
        let stems = Dictionary(names.map { (PathText.split($0.key).stem, $0.value) }) { min($0, $1) }
        for (name, sheet) in sheets {
            guard let sheet else {
                bad.append(name)
                continue
            }
            var found = false
            for file in Set(sheet.tracks.map(\.file)) {
                guard let sound = Self.sound(file, names, stems) else { continue }
                found = true
                // The first cue sheet of a sound file counts.
                if parts[sound] != nil { continue }
                parts[sound] = Part(sheet: sheet, tracks: sheet.tracks.filter { $0.file == file })
            }
            if !found { bad.append(name) }
        }
    }

    /// Returns the sound file that a cue sheet names: many sheets name the WAV that was encoded later.
    private static func sound(_ file: String, _ names: [String: String], _ stems: [String: String]) -> String?
    {
        let name = PathText.name(file.replacing("\\", with: "/")).lowercased()
        return names[name] ?? stems[PathText.split(name).stem]
    }
}
