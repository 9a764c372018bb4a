import Testing

@testable import Playback

@Suite("The rules of a player's transport")
struct TransportMachineTests {
    /// The inputs of a row, in order.
    enum Step: Sendable {
        case rate(Float), immediately(Float), pause, waits(Bool)
        case item(TransportMachine.Item), next(Levels), levels(Levels)
        case dry, evaluated, refill, ended(stays: Bool)
    }

    enum Levels: Sendable { case empty, some, enough, full }

    struct Row: Sendable {
        let name: String
        let steps: [Step]
        let rate: Float
        let control: TransportMachine.Control
        let reason: TransportMachine.WaitingReason?

        init(
            _ name: String, _ steps: [Step], _ rate: Float, _ control: TransportMachine.Control,
            _ reason: TransportMachine.WaitingReason? = nil
        ) {
            (self.name, self.steps, self.rate, self.control, self.reason) = (
                name, steps, rate, control, reason
            )
        }
    }

    static let rows: [Row] = [
        Row("begins paused", [], 0, .paused),
        Row("no item", [.rate(1)], 1, .waiting, .noItemToPlay),
        Row("an item that loads", [.item(.loading), .rate(1)], 1, .waiting, .evaluatingBufferingRate),
        Row("an item comes", [.rate(1), .item(.loading)], 1, .waiting, .evaluatingBufferingRate),
        Row(
            "a source that is looked at", [.item(.ready), .levels(.some), .rate(1), .evaluated], 1, .waiting,
            .toMinimizeStalls),
        Row("enough", [.item(.ready), .levels(.enough), .rate(1)], 1, .playing),
        Row("all there is", [.item(.ready), .levels(.full), .rate(1)], 1, .playing),
        Row("enough comes", [.item(.ready), .rate(2), .evaluated, .levels(.enough)], 2, .playing),
        Row(
            "without waiting", [.waits(false), .item(.ready), .levels(.some), .rate(1)], 1, .playing),
        Row(
            "without waiting, and nothing there", [.waits(false), .item(.ready), .rate(1)], 1, .waiting,
            .evaluatingBufferingRate),
        Row(
            "without waiting, the first sound", [.waits(false), .item(.ready), .rate(1), .levels(.some)], 1,
            .playing),
        Row(
            "runs dry", [.item(.ready), .levels(.enough), .rate(1), .dry], 1, .waiting, .toMinimizeStalls),
        Row(
            "runs dry and goes on", [.item(.ready), .levels(.enough), .rate(1), .dry, .levels(.enough)], 1,
            .playing),
        Row(
            "runs dry, some comes", [.item(.ready), .levels(.enough), .rate(1), .dry, .levels(.some)], 1,
            .waiting, .toMinimizeStalls),
        Row(
            "runs dry without waiting", [.waits(false), .item(.ready), .levels(.some), .rate(1), .dry], 0,
            .paused),
        Row("pause", [.item(.ready), .levels(.enough), .rate(1), .pause], 0, .paused),
        Row("pause while it waits", [.rate(1), .pause], 0, .paused),
        Row("rate 0", [.item(.ready), .levels(.enough), .rate(1), .rate(0)], 0, .paused),
        Row("at once", [.item(.ready), .levels(.some), .immediately(1)], 1, .playing),
        Row(
            "at once, and nothing there", [.item(.ready), .levels(.empty), .immediately(1)], 1, .waiting,
            .toMinimizeStalls),
        Row(
            "at once, nothing there, without waiting", [.waits(false), .item(.ready), .immediately(1)], 0,
            .paused),
        Row(
            "at once is for one start",
            [
                .item(.ready), .levels(.some), .immediately(1), .dry, .levels(.some),
            ], 1, .waiting, .toMinimizeStalls),
        Row(
            "waits no longer", [.item(.ready), .levels(.some), .rate(1), .evaluated, .waits(false)], 1,
            .playing),
        Row("the end", [.item(.ready), .levels(.full), .rate(1), .ended(stays: false)], 0, .paused),
        Row(
            "the end, and stays", [.item(.ready), .levels(.full), .rate(1), .ended(stays: true)], 1, .playing),
        Row("an item fails", [.item(.ready), .levels(.full), .rate(1), .item(.failed)], 0, .paused),
        Row("a failed item", [.item(.failed), .rate(1)], 0, .paused),
        Row(
            "the next item is there", [.item(.ready), .levels(.full), .rate(1), .next(.full)], 1, .playing),
        Row(
            "the next item is known, its sound is not there",
            [.item(.ready), .levels(.full), .rate(1), .next(.empty)], 1, .waiting, .evaluatingBufferingRate),
        Row(
            "the next item is not", [.item(.ready), .levels(.full), .rate(1), .item(.loading)], 1, .waiting,
            .evaluatingBufferingRate),
        Row(
            "no next item", [.item(.ready), .levels(.full), .rate(1), .item(.none)], 1, .waiting,
            .noItemToPlay),
        Row(
            "a place that is looked for", [.item(.ready), .levels(.full), .rate(1), .refill], 1, .waiting,
            .evaluatingBufferingRate),
        Row("another rate", [.item(.ready), .levels(.full), .rate(1), .rate(1.5)], 1.5, .playing),
    ]

    @Test("row by row", arguments: rows)
    func row(row: Row) {
        var machine = TransportMachine()
        for step in row.steps { Self.take(step, &machine) }
        #expect(machine.rate == row.rate, "\(row.name)")
        #expect(machine.control == row.control, "\(row.name)")
        #expect(machine.reason == row.reason, "\(row.name)")
    }

    @Test("rate 0 exactly while paused, a reason exactly while waiting, whatever comes")
    func always() {
        var machine = TransportMachine()
        let steps = Self.rows.flatMap(\.steps)
        for (index, _) in steps.enumerated() {
            Self.take(steps[index * 7 % steps.count], &machine)
            #expect((machine.rate == 0) == (machine.control == .paused))
            #expect((machine.reason != nil) == (machine.control == .waiting))
        }
    }

    static func take(_ step: Step, _ machine: inout TransportMachine) {
        switch step {
        case .rate(let rate): machine.setRate(rate)
        case .immediately(let rate): machine.playImmediately(rate)
        case .pause: machine.pause()
        case .waits(let waits): machine.setAutomaticallyWaits(waits)
        case .item(let item): machine.itemBecame(item, BufferLevels())
        case .next(let levels): machine.itemBecame(.ready, levels.value)
        case .levels(let levels): machine.levelsBecame(levels.value)
        case .dry: _ = machine.ranDry()
        case .evaluated: machine.evaluationEnded()
        case .refill: machine.mustRefill()
        case .ended(let stays): machine.itemEnded(staysAtRate: stays)
        }
    }
}

extension TransportMachineTests.Levels {
    var value: BufferLevels {
        switch self {
        case .empty: BufferLevels()
        case .some: BufferLevels(isEmpty: false, isFull: false, isLikelyToKeepUp: false)
        case .enough: BufferLevels(isEmpty: false, isFull: false, isLikelyToKeepUp: true)
        case .full: BufferLevels(isEmpty: false, isFull: true, isLikelyToKeepUp: true)
        }
    }
}

@Suite("A buffer's levels")
struct BufferGaugeTests {
    struct Row: Sendable {
        var ahead = 0.0
        var missing: Double?
        var fill: Double?
        var rate = 1.0
        var complete = false
        var limit = false
        var silent: Double?
        var short = 0.0
        let expected: (empty: Bool, full: Bool, likely: Bool)
    }

    static let rows: [Row] = [
        Row(expected: (true, false, false)),
        Row(complete: true, expected: (false, true, true)),
        Row(ahead: 1, expected: (false, false, false)),
        Row(ahead: 2, expected: (false, false, true)),
        Row(ahead: 2, rate: 2, expected: (false, false, false)),
        // No more is read.
        Row(ahead: 1, limit: true, expected: (false, true, true)),
        Row(ahead: 3, missing: 100, fill: 1, rate: 2, limit: true, expected: (false, true, true)),
        // Faster than real time, with caution.
        Row(ahead: 1, missing: 100, fill: 2, expected: (false, false, true)),
        Row(ahead: 1, missing: 100, fill: 1.1, expected: (false, false, false)),
        Row(ahead: 1, missing: 1, fill: 0.9, expected: (false, false, true)),
        Row(ahead: 0.1, missing: 100, fill: 50, expected: (false, false, false)),
        // Slower than playback: enough for 18 s, but no more than the read-ahead has.
        Row(ahead: 3.6, missing: 100, fill: 0.5, expected: (false, false, false)),
        Row(ahead: 9, missing: 100, fill: 0.5, expected: (false, false, true)),
        Row(ahead: 9.9, missing: 100, fill: 0.1, expected: (false, false, false)),
        Row(ahead: 10, missing: 100, fill: 0.1, expected: (false, false, true)),
        Row(ahead: 2, missing: 100, fill: 0.9, expected: (false, false, true)),
        Row(ahead: 2, missing: 100, fill: 1, expected: (false, false, true)),
        Row(ahead: 2, fill: 0.5, expected: (false, false, true)),
        // Where the source rests, and after a long wait, less suffices.
        Row(ahead: 2.75, missing: 100, fill: 0.5, silent: 1.4, expected: (false, false, false)),
        Row(ahead: 2.75, missing: 100, fill: 0.5, silent: 1.5, expected: (false, false, true)),
        Row(ahead: 1.75, missing: 100, fill: 0.5, silent: 60, expected: (false, false, false)),
        Row(ahead: 5.5, missing: 100, fill: 0.5, short: 20, expected: (false, false, false)),
        Row(ahead: 5.5, missing: 100, fill: 0.5, short: 25, expected: (false, false, true)),
        Row(ahead: 2, missing: 100, fill: 0.5, short: 30, expected: (false, false, true)),
        Row(ahead: 1.75, missing: 100, fill: 0.5, short: 60, expected: (false, false, false)),
    ]

    @Test("row by row", arguments: rows.indices)
    func row(index: Int) {
        let row = Self.rows[index]
        var gauge = BufferGauge()
        (gauge.secondsAhead, gauge.secondsMissing, gauge.fillRate) = (row.ahead, row.missing, row.fill)
        (gauge.rate, gauge.isComplete, gauge.isAtLimit) = (row.rate, row.complete, row.limit)
        (gauge.speed, gauge.secondsSilent, gauge.secondsShort) = (row.rate, row.silent, row.short)
        let levels = gauge.levels(after: BufferLevels())
        #expect((levels.isEmpty, levels.isFull, levels.isLikelyToKeepUp) == row.expected)
    }

    @Test("a buffer that was likely to keep up stays so down to half the level")
    func hysteresis() {
        let likely = BufferLevels(isEmpty: false, isFull: false, isLikelyToKeepUp: true)
        var gauge = BufferGauge()
        gauge.secondsAhead = 1.1
        #expect(gauge.levels(after: likely).isLikelyToKeepUp)
        gauge.secondsAhead = 0.9
        #expect(!gauge.levels(after: likely).isLikelyToKeepUp)
    }

    @Test("the time at which the sound at hand suffices is known while no more comes")
    func untilLikely() {
        var gauge = BufferGauge()
        (gauge.secondsAhead, gauge.secondsMissing, gauge.fillRate, gauge.secondsShort) = (5.5, 100, 0.5, 10)
        #expect(gauge.secondsUntilLikely == 15)
        gauge.secondsSilent = 0.5
        #expect(gauge.secondsUntilLikely == 1)
        // A server that sends in bursts has not stopped yet.
        gauge.longestWait = 2
        #expect(gauge.secondsUntilLikely == 2.5)
        gauge.longestWait = 4.5
        #expect(gauge.secondsUntilLikely == 4.5)
        for seconds in [1.5, 9] {
            gauge.secondsAhead = seconds
            #expect(gauge.secondsUntilLikely == nil)
        }
    }

    @Test("sound that came while nobody waited, and an outage, say nothing of the fill rate")
    func unwaited() {
        // A server's first burst, and then half of what is needed.
        var rate = FillRate()
        for _ in 0..<14 { rate.note(sound: 0.25, spent: 0) }
        #expect(rate.value == .infinity)
        for _ in 0..<2 { rate.note(sound: 0.25, spent: 0.5) }
        #expect(rate.value == 0.5)
        // Fetched ahead while reading rested.
        rate.rest()
        for _ in 0..<14 { rate.note(sound: 0.25, spent: 0) }
        #expect(rate.value == 0.5)
        rate.note(sound: 0.25, spent: 0.5)
        #expect(rate.value == 0.5)
        rate.note(sound: 0.25, spent: 60)
        #expect(rate.value == nil)
        rate.note(sound: 0.25, spent: 0.25)
        #expect(rate.value == 1)
    }

    @Test("the fill rate is that of the last seconds of waiting")
    func fillRate() {
        var rate = FillRate()
        #expect(rate.value == nil)
        rate.note(sound: 0.5, spent: 0.1)
        #expect(rate.value == nil)
        rate.note(sound: 1, spent: 0.4)
        #expect(rate.value.map { abs($0 - 3) < 1e-9 } == true)
        for _ in 0..<20 { rate.note(sound: 0.9, spent: 1) }
        #expect(rate.value.map { abs($0 - 0.9) < 1e-9 } == true)
        var file = FillRate()
        file.note(sound: 1, spent: 0)
        #expect(file.value == .infinity)
    }
}
