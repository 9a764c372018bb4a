import Dispatch
import Foundation
import Synchronization

import TuttiHouseSimulation

/// Runs houses in virtual time, one for each seed.
///
/// A seed that fails is shortened to the least that still fails, and written to a file that can be replayed.
@main
enum HouseRunner {
    private static let usage = """
        HouseRunner COUNT [FIRST-SEED]   runs houses in virtual time
        HouseRunner trace COUNT [SEED]   prints digests of their courses, which are the same in every process
        HouseRunner replay FILE|SEED     runs one house, and prints what happened
        HouseRunner replay SEED KIND [DEVICE]   the same for one of the houses of `find`
        HouseRunner find COUNT SEED WORDS [KIND [DEVICE]]   runs short houses of rooms of one kind (buffered), which may stand in
                                         for a device, until the complaints of one match a regular expression; with the
                                         kind `drawn` whole houses, as of the first line

        --digests=FILE                   houses that run also write the digests of their courses
        --compressed, --plain            all houses compress their sound, or none; otherwise one of eight does; short ones do not
        """

    static func main() throws {
        beDeterministic()
        var arguments = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--") }[...]
        if arguments.first == "replay", let file = arguments.dropFirst().first {
            let kind = arguments.dropFirst(2).first.flatMap { RoomKind(rawValue: $0) }
            return try replay(file, kind, arguments.dropFirst(3).first.map { RoomManners(words: $0) })
        }
        let isTrace = arguments.first == "trace"
        let isSearch = arguments.first == "find"
        if isTrace || isSearch { arguments = arguments.dropFirst() }
        guard let count = arguments.first.flatMap({ Int($0) }), count > 0 else {
            print(usage)
            exit(2)
        }
        guard let first = UInt64(arguments.dropFirst().first ?? "1") else {
            print(usage)
            exit(2)
        }
        let seeds = first..<(first + UInt64(count))
        if isTrace { return try trace(seeds) }
        if isSearch {
            let words = try Regex(arguments.dropFirst(2).first ?? "")
            let name = arguments.dropFirst(3).first ?? RoomKind.buffered.rawValue
            let kind = RoomKind(rawValue: name)
            let device = arguments.dropFirst(4).first.map { RoomManners(words: $0) }
            guard kind != nil || name == "drawn" && device == nil else {
                print(usage)
                exit(2)
            }
            exit(try find(words, seeds, kind, device) ? 0 : 1)
        }
        exit(try run(seeds) ? 0 : 1)
    }

    /// Sets and dictionaries have one order for one seed only if the runtime is told so before it begins.
    private static func beDeterministic() {
        let name = "SWIFT_DETERMINISTIC_HASHING"
        guard getenv(name) == nil else { return }
        setenv(name, "1", 1)
        let words = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", words)
        print("the program cannot start itself again: \(String(cString: strerror(errno)))")
        exit(2)
    }

    private static func trace(_ seeds: Range<UInt64>) throws {
        let song = try Song()
        let traces = Mutex<[UInt64: UInt64]>([:])
        inParallel(seeds) { seed in
            let trace = plan(seed).outcome(song).trace
            traces.withLock { $0[seed] = trace }
        }
        print(digests(traces.withLock { $0 }), terminator: "")
    }

    /// A line for each seed, in their order.
    private static func digests(_ traces: [UInt64: UInt64]) -> String {
        traces.sorted { $0.key < $1.key }.map { "\($0.key) \(String($0.value, radix: 16))\n" }.joined()
    }

    /// The file that is to have the digests of a run.
    private static let digestFile = CommandLine.arguments.first { $0.hasPrefix("--digests=") }?.dropFirst(
        "--digests=".count)

    /// More than three minutes of virtual time, with the time to recover. One house of eight compresses its sound.
    private static func plan(_ seed: UInt64) -> HousePlan {
        HousePlan(seed: seed, seconds: 160, isCompressed: isCompressed ?? seed.isMultiple(of: 8))
    }

    /// Whether all houses compress their sound, or none; `nil` if the seed decides.
    private static let isCompressed: Bool? =
        CommandLine.arguments.contains("--compressed")
        ? true : CommandLine.arguments.contains("--plain") ? false : nil

    /// Runs `body` for each seed, on all processors.
    private static func inParallel(_ seeds: Range<UInt64>, _ body: @Sendable (UInt64) -> Void) {
        let next = Atomic<UInt64>(seeds.lowerBound)
        DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
            while true {
                let seed = next.add(1, ordering: .relaxed).oldValue
                guard seeds.contains(seed) else { return }
                body(seed)
            }
        }
    }

    /// A minute of three rooms of one kind.
    private static func shortPlan(_ seed: UInt64, _ kind: RoomKind, _ device: RoomManners?) -> HousePlan {
        HousePlan(
            seed: seed, kinds: [kind, kind, kind], manners: device.map { [$0, $0, $0] },
            isCompressed: isCompressed ?? false)
    }

    // MARK: One house that fails

    private struct Search {
        var houses = 0
        var isOver = false
    }

    /// Runs houses until one fails as expected, and shortens nothing. Complaints that do not match are printed, too.
    ///
    /// - Parameter kind: The kind of the rooms of short houses; `nil` for whole ones.
    private static func find(
        _ words: Regex<AnyRegexOutput>, _ seeds: Range<UInt64>, _ kind: RoomKind?, _ device: RoomManners?
    ) throws -> Bool {
        let song = try Song()
        let search = Mutex(Search())
        // A regular expression is used by one thread at a time.
        nonisolated(unsafe) let words = words
        inParallel(seeds) { seed in
            guard !search.withLock({ $0.isOver }) else { return }
            let plan = kind.map { shortPlan(seed, $0, device) } ?? plan(seed)
            let complaints = plan.outcome(song).complaints
            search.withLock { search in
                search.houses += 1
                guard !complaints.isEmpty else { return }
                let isFound = complaints.contains { $0.contains(words) }
                search.isOver = search.isOver || isFound
                print("seed \(seed)\(isFound ? "" : ", otherwise"): \(complaints.joined(separator: "; "))")
                // At once: who waits may end the search.
                fflush(nil)
            }
        }
        let all = search.withLock { $0 }
        print("\(all.houses) houses, \(all.isOver ? "found" : "not found")")
        return all.isOver
    }

    // MARK: Many houses

    private struct Sums {
        var seconds = 0.0
        var faults: [String: Int] = [:]
        /// The worst distance of two rooms with PTP at the end of each house that has two, microseconds.
        var distances: [(difference: Double, seed: UInt64)] = []
        var failures: [(seed: UInt64, complaints: [String])] = []
        var traces: [UInt64: UInt64] = [:]
    }

    private static func run(_ seeds: Range<UInt64>) throws -> Bool {
        let song = try Song()
        let sums = Mutex(Sums())
        let start = ContinuousClock.now
        inParallel(seeds) { seed in
            let outcome = plan(seed).outcome(song)
            sums.withLock { sums in
                sums.seconds += outcome.seconds
                sums.traces[seed] = outcome.trace
                sums.faults.merge(outcome.faults, uniquingKeysWith: +)
                if outcome.worstDifference > 0 { sums.distances.append((outcome.worstDifference, seed)) }
                guard !outcome.complaints.isEmpty else { return }
                sums.failures.append((seed, outcome.complaints))
                // At once: a house that stops the program leaves no sums.
                print("seed \(seed): \(outcome.complaints.joined(separator: "; "))")
            }
        }
        let (all, passed) = (sums.withLock { $0 }, ContinuousClock.now - start)
        if let digestFile {
            try digests(all.traces).write(toFile: String(digestFile), atomically: true, encoding: .utf8)
        }
        for failure in all.failures.sorted(by: { $0.seed < $1.seed }) {
            let least = plan(failure.seed).shortened(song)
            let file = "house-\(failure.seed).json"
            try least.write(to: file)
            print("seed \(failure.seed): \(least.script.steps.count) steps still fail; replay \(file)")
        }
        report(all, seeds.count, Double(passed.components.seconds) + 0.001)
        return all.failures.isEmpty
    }

    private static func report(_ all: Sums, _ count: Int, _ seconds: Double) {
        let hours = all.seconds / 3600
        let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
        let faults = all.faults.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(
            separator: ", ")
        print(
            "\(count) houses, \(rounded(hours)) house-hours, \(rounded(all.seconds / seconds / cores)) a core-hour"
        )
        print("faults: \(faults)")
        let distances = all.distances.sorted { $0.difference < $1.difference }
        if let worst = distances.last {
            let (median, high) = (distances[distances.count / 2], distances[distances.count * 99 / 100])
            print(
                "the distance of two rooms with PTP at the end, µs: median \(Int(median.difference)), "
                    + "99 % \(Int(high.difference)), worst \(Int(worst.difference)) (seed \(worst.seed))")
        }
        print("\(all.failures.count) seeds fail")
    }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    // MARK: One house

    private static func replay(_ file: String, _ kind: RoomKind?, _ device: RoomManners?) throws {
        let seeded = UInt64(file).map { seed in
            kind.map { shortPlan(seed, $0, device) } ?? Self.plan(seed)
        }
        let plan = try seeded ?? HousePlan(file: file)
        let record = try plan.record(Song())
        print(plan.rooms)
        print(plan.script)
        for line in record.log { print(line) }
        let complaints = record.outcome.complaints
        print(complaints.isEmpty ? "nothing failed" : complaints.joined(separator: "\n"))
        exit(complaints.isEmpty ? 0 : 1)
    }
}
