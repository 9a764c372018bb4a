import Foundation

/// The measurements of the demonstration.
struct DemoResult {
    var firstSound: Double?
    /// Seconds held by each room when the link was cut.
    var ahead: [(room: String, seconds: Double)] = []
    var missingFrames: [(room: String, frames: Int64)] = []
    /// Time offsets from the first room, in seconds.
    var apart: [(room: String, distances: [Double])] = []
    /// Whether every room played the edited queue; `nil` if not measured.
    var isEditHeard: Bool?
    var senderCPU = 0.0
    var speakersCPU = 0.0
    var senderMegabytes = 0.0
    var speakersMegabytes = 0.0
    var notes: [String] = []

    var isGood: Bool {
        firstSound != nil && missingFrames.allSatisfy { $0.frames == 0 } && isEditHeard == true
            && !apart.isEmpty && apart.allSatisfy { !$0.distances.isEmpty }
    }

    var lines: [String] {
        var lines = ["", "Measurements"]
        func row(_ name: String, _ value: String) {
            lines.append("  " + name.padding(toLength: 34, withPad: " ", startingAt: 0) + value)
        }
        row(
            "command to first sound",
            firstSound.map { "\(Int(($0 * 1000).rounded())) ms" } ?? "nothing was heard")
        for entry in ahead {
            row("held when the link was cut", "\(entry.room): \(Int(entry.seconds)) s")
        }
        for entry in missingFrames { row("frames lost", "\(entry.room): \(entry.frames)") }
        for entry in apart {
            row("distance from the first room", "\(entry.room): \(Self.spread(entry.distances))")
        }
        row("the edited queue in every room", isEditHeard.map { $0 ? "yes" : "NO" } ?? "not known")
        row("CPU of the sender", String(format: "%.2f s, %.0f MB", senderCPU, senderMegabytes))
        row(
            "CPU of the three speakers", String(format: "%.2f s, %.0f MB", speakersCPU, speakersMegabytes)
        )
        return lines + notes.map { "  " + $0 }
    }

    /// Formats the median and the largest offset, in microseconds.
    static func spread(_ distances: [Double]) -> String {
        let sizes = distances.map { abs($0) * 1e6 }.sorted()
        guard let worst = sizes.last else { return "no sound to compare" }
        return String(
            format: "median %.1f µs, worst %.1f µs, at %d places", sizes[sizes.count / 2], worst,
            sizes.count)
    }
}
