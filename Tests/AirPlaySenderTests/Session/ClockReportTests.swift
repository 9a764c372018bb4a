import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("The words for a speaker's clock")
struct ClockReportTests {
    struct Row: Sendable {
        let report: ClockReport
        /// Seconds since the session was opened.
        let seconds: Int64
        /// A part of the sentence; `nil` for no trouble.
        let words: String?
    }

    static let rows = [
        Row(report: ClockReport(.ptp), seconds: 4, words: nil),
        Row(
            report: ClockReport(.ptp), seconds: 5, words: "never asked for our clock in 5 s: UDP 319 and 320"),
        Row(report: ClockReport(.ptp), seconds: 9, words: "in 9 s"),
        Row(report: ClockReport(.ptp, state: .ready), seconds: 5, words: "try --clock ntp"),
        Row(report: ClockReport(.ptp, state: .ready, neverAsks: true), seconds: 60, words: nil),
        Row(report: ClockReport(.ptp, state: .ready, requests: 1), seconds: 60, words: nil),
        Row(report: ClockReport(.ptp, state: .stalled, requests: 7), seconds: 60, words: "after 7 times"),
        Row(report: ClockReport(.ptp, insists: true), seconds: 6, words: "goes on announcing its own clock"),
        Row(
            report: ClockReport(.ptp, state: .ready, requests: 3, insists: true), seconds: 1,
            words: "--clock theirs"),
        Row(report: ClockReport(.ptp, announcesItsOwn: true), seconds: 4, words: nil),
        Row(
            report: ClockReport(.ptp, announcesItsOwn: true), seconds: 5, words: "goes on announcing its own"
        ),
        Row(report: ClockReport(.ptp, requests: 1, announcesItsOwn: true), seconds: 60, words: nil),
        Row(report: ClockReport(.theirs), seconds: 4, words: nil),
        Row(report: ClockReport(.theirs), seconds: 6, words: "itself was not heard"),
        Row(
            report: ClockReport(.theirs, state: .stalled, readyTime: HostTime(nanoseconds: 1)), seconds: 60,
            words: "--clock ptp"),
        Row(
            report: ClockReport(.theirs, state: .ready, readyTime: HostTime(nanoseconds: 1)), seconds: 60,
            words: nil),
        Row(report: ClockReport(.ntp), seconds: 6, words: "try --clock ptp"),
        Row(
            report: ClockReport(.ntp, state: .stalled, requests: 2), seconds: 6,
            words: "no longer asks for the time"),
        Row(report: ClockReport(.ntp, state: .ready, requests: 2), seconds: 6, words: nil),
        Row(report: ClockReport(.host), seconds: 60, words: nil),
    ]

    @Test("the trouble names the cause and what to do", arguments: rows.indices)
    func trouble(index: Int) {
        let row = Self.rows[index]
        let trouble = row.report.trouble(of: "Kitchen", after: .seconds(row.seconds))
        #expect((trouble == nil) == (row.words == nil))
        guard let words = row.words else { return }
        #expect(trouble?.code == .clock && trouble?.message.contains("Kitchen ") == true)
        #expect(trouble?.message.contains(words) == true, "\(trouble?.message ?? "")")
    }
}
