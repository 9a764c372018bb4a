import AirPlaySender
import Playback
import Testing

@testable import tutti

@Suite("The output of tutti doctor")
struct DoctorReportTests {
    private let stage = ExaminationStage(
        .clock, duration: .milliseconds(1034), detail: "PTP, asked 3 times")
    private let failed = ExaminationStage(
        .opening(.port), duration: .seconds(4),
        .failed(SpeakerFailure(.unreachable, "Kitchen does not answer")))

    @Test("a stage is a row of a table")
    func rows() {
        #expect(DoctorReport.line(stage) == "  clock     ok   1.03 s  PTP, asked 3 times")
        #expect(DoctorReport.line(failed) == "  port      no   4.00 s")
    }

    @Test("a stage is a JSON object without what it lacks")
    func json() {
        #expect(
            DoctorReport.json(stage, of: "Kitchen").text
                == #"{"event":"stage","speaker":"Kitchen","stage":"clock","outcome":"passed","seconds":1.034,"detail":"PTP, asked 3 times"}"#
        )
        #expect(
            DoctorReport.json(failed, of: "Kitchen").text
                == #"{"event":"stage","speaker":"Kitchen","stage":"port","outcome":"failed","seconds":4,"message":"Kitchen does not answer"}"#
        )
    }

    @Test("a stage in doubt has its own mark and outcome, and its reason in the JSON alone")
    func doubt() {
        let doubtful = ExaminationStage(
            .clock, duration: .milliseconds(12_340),
            .doubtful(SpeakerFailure(.clock, "Kitchen does not ask for \"our\" clock")))
        #expect(DoctorReport.line(doubtful) == "  clock     ??  12.34 s")
        #expect(
            DoctorReport.json(doubtful, of: "K\u{1B}").text
                == #"{"event":"stage","speaker":"K\u001b","stage":"clock","outcome":"doubtful","seconds":12.34,"#
                + #""message":"Kitchen does not ask for \"our\" clock"}"#)
    }

    @Test("each stage has a word of its own, which fits the table")
    func words() {
        let kinds: [ExaminationStage.Kind] = [
            .name, .address, .opening(.port), .opening(.info), .opening(.access), .opening(.session),
            .opening(.events), .opening(.record), .opening(.stream), .clock, .anchor, .sound,
        ]
        #expect(Set(kinds.map(\.word)).count == kinds.count)
        let lines = kinds.map { DoctorReport.line(ExaminationStage($0, duration: .zero)) }
        #expect(Set(lines.map(\.count)).count == 1, "\(lines)")
    }

    @Test("only yes and no are answers")
    func answers() {
        #expect(["y", "Yes", "true"].allSatisfy { DoctorReport.answer($0) == true })
        #expect(["n", "NO"].allSatisfy { DoctorReport.answer($0) == false })
        #expect(DoctorReport.answer("") == nil && DoctorReport.answer(nil) == nil)
    }

    @Test("text from a speaker cannot move the cursor")
    func printable() {
        let evil = ExaminationStage(.name, duration: .zero, detail: "\u{1B}[2Jx")
        #expect(!DoctorReport.line(evil).contains("\u{1B}"))
    }
}
