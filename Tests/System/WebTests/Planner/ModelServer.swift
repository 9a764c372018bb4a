import TuttiMediaTime
import TuttiTestSupport

@testable import TuttiWeb

/// Seeded random numbers.
struct SeededSteps {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed &+ 77) }

    mutating func next(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
}

/// Responds to a planner's requests as a server might: in pieces, and with interruptions.
final class ModelServer {
    private struct Answer {
        var offset: Int
        var isAnswered = false
    }

    private let file: [UInt8]
    private var generator: SeededSteps
    private var answers: [Int: Answer] = [:]

    init(file: [UInt8], generator: SeededSteps) { (self.file, self.generator) = (file, generator) }

    func carryOut(_ actions: [FetchPlanner.Action]) {
        for action in actions {
            switch action {
            case .ask(let ask): answers[ask.serial] = Answer(offset: Int(ask.offset))
            case .abandon(let serial): answers[serial] = nil
            case .resume: break
            }
        }
    }

    /// Delivers something for one of the requests.
    func move(_ planner: inout FetchPlanner, at now: HostTime) {
        let serials = answers.keys.sorted()
        guard !serials.isEmpty else { return }
        let serial = serials[generator.next(serials.count)]
        guard let answer = answers[serial] else { return }
        if generator.next(20) == 0 {
            answers[serial] = nil
            planner.finish(serial, TransferFailure(error: .lost("reset"), isLoss: true), at: now)
        } else if !answer.isAnswered {
            answers[serial]?.isAnswered = true
            let range = "bytes \(answer.offset)-\(file.count - 1)/\(file.count)"
            let head =
                answer.offset < file.count
                ? WebHead(status: 206, headers: [("content-range", range)])
                : WebHead(status: 416, headers: [("content-range", "bytes */\(file.count)")])
            if !planner.head(serial, head, address: "http://a/b", at: now) { answers[serial] = nil }
        } else if answer.offset == file.count {
            answers[serial] = nil
            planner.finish(serial, nil, at: now)
        } else {
            let end = min(file.count, answer.offset + 1 + generator.next(3000))
            let taking = file[answer.offset..<end].withUnsafeBytes { planner.receive(serial, $0, at: now) }
            switch taking {
            case .taken: answers[serial]?.offset = end
            case .hold: break
            case .stop: answers[serial] = nil
            }
        }
    }
}
