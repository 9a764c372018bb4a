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

    private static func neverAsking(isHeard: Bool, reads: Bool) -> ClockReport {
        var report = ClockReport(.ptp, state: .ready, neverAsks: true, isHeard: isHeard)
        report.readsByClock = reads
        return report
    }

    private static func refusing(isHeard: Bool = false, reads: Bool? = nil) -> ClockReport {
        var report = ClockReport(.ptp, state: .ready, neverAsks: true, isHeard: isHeard)
        (report.isRefused, report.readsByClock) = (true, reads)
        return report
    }

    private static func elsewhere(_ report: ClockReport) -> ClockReport {
        var report = report
        report.hasOtherPorts = true
        return report
    }

    static let rows = [
        Row(report: ClockReport(.ptp), seconds: 4, words: nil),
        Row(
            report: ClockReport(.ptp), seconds: 5, words: "never asked for our clock in 5 s: UDP 319 and 320"),
        Row(report: ClockReport(.ptp), seconds: 9, words: "in 9 s"),
        Row(report: ClockReport(.ptp, state: .ready), seconds: 5, words: "try --clock ntp"),
        Row(report: ClockReport(.ptp, state: .ready, requests: 1), seconds: 60, words: nil),
        Row(
            report: ClockReport(.ptp, state: .stalled, requests: 7), seconds: 60,
            words: "after 7 requests"),
        Row(
            report: ClockReport(.ptp, state: .stalled, requests: 1), seconds: 60, words: "after one request"
        ),
        Row(report: ClockReport(.ptp, insists: true), seconds: 6, words: "keeps announcing its own clock"),
        Row(
            report: ClockReport(.ptp, state: .ready, requests: 3, insists: true), seconds: 1,
            words: "--clock theirs"),
        Row(report: ClockReport(.ptp, announcesItsOwn: true), seconds: 4, words: nil),
        Row(
            report: ClockReport(.ptp, announcesItsOwn: true), seconds: 5, words: "keeps announcing its own"
        ),
        Row(report: ClockReport(.ptp, requests: 1, announcesItsOwn: true), seconds: 60, words: nil),
        Row(report: ClockReport(.theirs), seconds: 4, words: nil),
        Row(report: ClockReport(.theirs), seconds: 6, words: "no message of the clock of"),
        Row(report: ClockReport(.theirs), seconds: 8, words: "by multicast only, or it follows ours; try"),
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
        Row(report: ClockReport(.ptp, state: .ready, neverAsks: true), seconds: 4, words: nil),
        Row(
            report: ClockReport(.ptp, state: .ready, neverAsks: true), seconds: 5,
            words:
                "follows our clock, because its nqptp sent no message in 5 s: if it is silent, UDP 319 and 320"
        ),
        Row(
            report: ClockReport(.ptp, state: .ready, neverAsks: true, isHeard: true), seconds: 60, words: nil),
        Row(report: refusing(), seconds: 0, words: nil),
        Row(report: refusing(), seconds: 1, words: "on UDP 319: nqptp does not run there, or a firewall"),
        Row(report: refusing(reads: false), seconds: 60, words: "systemctl start nqptp"),
        // It was started meanwhile.
        Row(report: refusing(isHeard: true), seconds: 60, words: nil),
        Row(report: refusing(isHeard: true, reads: false), seconds: 60, words: "although its nqptp runs"),
        Row(report: refusing(reads: true), seconds: 60, words: nil),
        Row(report: neverAsking(isHeard: false, reads: true), seconds: 60, words: nil),
        Row(report: neverAsking(isHeard: true, reads: true), seconds: 60, words: nil),
        Row(report: neverAsking(isHeard: true, reads: false), seconds: 4, words: nil),
        Row(report: neverAsking(isHeard: true, reads: false), seconds: 9, words: "although its nqptp runs"),
        Row(report: neverAsking(isHeard: false, reads: false), seconds: 9, words: "sent no message in 9 s"),
        Row(
            report: elsewhere(ClockReport(.ptp, state: .ready, neverAsks: true)), seconds: 9,
            words: "uses other ports than UDP 319 and 320 (--clock-ports), where"),
        Row(
            report: elsewhere(ClockReport(.ptp)), seconds: 9,
            words: "uses other ports than UDP 319 and 320 (--clock-ports), where"),
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

    @Test("a speaker that never asks is not said to be ready before it has given a sign")
    func shownState() {
        let silent = ClockReport(.ptp, state: .ready, neverAsks: true)
        #expect(silent.shownState == .waiting && !silent.isProven)
        let heard = ClockReport(.ptp, state: .ready, neverAsks: true, isHeard: true)
        #expect(heard.shownState == .ready && heard.isProven)
        #expect(Self.neverAsking(isHeard: false, reads: true).shownState == .ready)
        #expect(Self.neverAsking(isHeard: true, reads: false).shownState == .waiting)
        #expect(ClockReport(.ptp, state: .ready).shownState == .ready)
    }
}
