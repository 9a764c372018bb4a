import Foundation
import Playback
import TuttiCommandLineInterface

/// The output of `tutti doctor`: a table and a sentence, or a JSON object for each.
struct DoctorReport: Sendable {
    let isJSON: Bool

    func show(_ stage: ExaminationStage, of speaker: String) {
        StandardStream.output.line(isJSON ? Self.json(stage, of: speaker).text : Self.line(stage))
    }

    func announceTone(of speaker: String) {
        tell(
            "tone", speaker,
            "A soft tone of one second follows on \(Printable.text(speaker)); --silent leaves it out.")
    }

    func ask(about speaker: String) {
        if isJSON {
            tell("question", speaker, "")
        } else {
            StandardStream.error.write("Was the tone heard on \(Printable.text(speaker))? [y/n] ")
        }
    }

    func show(_ diagnosis: Diagnosis, of speaker: String) {
        guard isJSON else {
            StandardStream.output.line("\n" + Printable.text(diagnosis.message))
            return
        }
        let line = JSONLine([
            "event": "diagnosis", "speaker": .string(speaker), "ok": .bool(diagnosis.isGood),
            "stage": .optional(diagnosis.stage?.word), "code": .string(diagnosis.code),
            "message": .string(diagnosis.message),
        ])
        StandardStream.output.line(line.text)
    }

    private func tell(_ event: String, _ speaker: String, _ words: String) {
        StandardStream.output.line(
            isJSON ? JSONLine(["event": .string(event), "speaker": .string(speaker)]).text : words)
    }

    /// Returns the meaning of a user's answer; `nil` if it has none.
    static func answer(_ line: String?) -> Bool? {
        switch line?.lowercased() {
        case "y", "yes", "true": true
        case "n", "no", "false": false
        default: nil
        }
    }

    /// A row of the table: the stage, how it ended, its time, and what was found.
    static func line(_ stage: ExaminationStage) -> String {
        let mark =
            switch stage.outcome {
            case .passed: Console.text("ok", .success)
            case .doubtful: Console.text("??", .warning)
            case .failed: Console.text("no", .failure)
            }
        let time = String(format: "%5.2f s", seconds(stage))
        let columns = [
            DisplayWidth.pad(stage.kind.word, to: 8), mark, time,
            stage.detail.map(Printable.text) ?? "",
        ]
        var line = "  " + columns.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }

    static func json(_ stage: ExaminationStage, of speaker: String) -> JSONLine {
        let (outcome, failure) =
            switch stage.outcome {
            case .passed: ("passed", nil as String?)
            case .doubtful(let failure): ("doubtful", failure.message)
            case .failed(let failure): ("failed", failure.message)
            }
        return JSONLine([
            "event": "stage", "speaker": .string(speaker), "stage": .string(stage.kind.word),
            "outcome": .string(outcome), "seconds": .number(seconds(stage), decimals: 3),
            "detail": stage.detail.map { .string($0) }, "message": failure.map { .string($0) },
        ])
    }

    private static func seconds(_ stage: ExaminationStage) -> Double { stage.duration / .seconds(1) }
}
