import CoreMedia
import Testing
import TuttiMediaTime

@testable import Playback

@Suite("The decisions of a timeline")
struct TimelineMachineTests {
    typealias Machine = TimelineMachine

    private static func host(_ seconds: Int) -> HostTime {
        HostTime(nanoseconds: 100_000_000_000).advanced(by: .seconds(seconds))
    }

    private static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1000)
    }

    /// A paused timeline with two queues.
    private static func paused() -> Machine {
        var machine = Machine(at: host(0))
        _ = machine.add(1)
        _ = machine.add(2)
        return machine
    }

    /// A timeline that runs from time zero since host time zero, and the generation of its start.
    private static func playing() throws -> (machine: Machine, generation: Int) {
        var machine = paused()
        _ = machine.setRate(1, time: .zero, hostTime: nil, at: host(0))
        let start = try begin(&machine)
        _ = machine.started(start.generation, at: host(0))
        return (machine, start.generation)
    }

    /// Begins the start that waits.
    private static func begin(_ machine: inout Machine) throws -> Machine.Start {
        let waiting = try #require(machine.waitingStart)
        let actions = machine.begin(waiting, at: host(0))
        guard actions.count == 1, case .start(let start)? = actions.first else {
            throw NoStart(actions: actions)
        }
        return start
    }

    private struct NoStart: Error { let actions: [Machine.Action] }

    // MARK: Starting

    @Test("a new timeline stands at zero, and no start waits")
    func begins() {
        let machine = Machine(at: Self.host(0))
        #expect(machine.line == PresentationLine(standingAt: .zero, since: Self.host(0)))
        #expect(machine.requestedRate == 0 && machine.startedRate == 0)
        #expect(machine.waitingStart == nil)
    }

    @Test("a start waits for data, then for the answer of the first queue's output")
    func start() throws {
        var machine = Self.paused()
        #expect(machine.prepare(for: 1) == [.notifyPlaying([1, 2], true)])
        #expect(
            machine.setRate(1, time: Self.time(10), hostTime: nil, at: Self.host(0)) == [
                .publishLine(isJump: true), .stand([1, 2], at: Self.time(10)), .notifyRate, .tryStart,
            ])
        #expect(machine.requestedRate == 1 && machine.startedRate == 0)
        #expect(machine.prepare(for: 2) == [])
        let start = try Self.begin(&machine)
        #expect(start.first == 1 && start.others == [2])
        #expect(start.time == Self.time(10) && start.rate == 1 && start.hostTime == nil)
        #expect(machine.startedRate == 1 && machine.waitingStart == nil)
        #expect(machine.line.rate == 0)
        #expect(machine.started(start.generation, at: Self.host(3)) == [.publishLine(isJump: false)])
        #expect(machine.line == PresentationLine(time: Self.time(10), host: Self.host(3), rate: 1))
    }

    static let waits: [(delays: Bool, host: Int?, asked: [Int])] = [
        (true, nil, [1, 2]), (false, nil, []), (true, 5, []), (false, 5, []),
    ]

    @Test(
        "a start needs data in every queue, unless it is told not to wait or has a host time",
        arguments: waits)
    func needsData(delays: Bool, host: Int?, asked: [Int]) throws {
        var machine = Self.paused()
        machine.delaysRateChange = delays
        _ = machine.setRate(1, time: .zero, hostTime: host.map(Self.host), at: Self.host(0))
        #expect(machine.waitingStart?.asked == asked)
        #expect(machine.waitingStart?.queues == [1, 2])
        #expect(try Self.begin(&machine).hostTime == host.map(Self.host))
    }

    @Test(
        "a timeline without a queue runs at once, or since its host time", arguments: [nil, -1, 7] as [Int?])
    func alone(host: Int?) throws {
        var machine = Machine(at: Self.host(0))
        _ = machine.setRate(0.5, time: Self.time(4), hostTime: host.map(Self.host), at: Self.host(0))
        let waiting = try #require(machine.waitingStart)
        #expect(machine.begin(waiting, at: Self.host(2)) == [.publishLine(isJump: false)])
        #expect(
            machine.line == PresentationLine(time: Self.time(4), host: Self.host(host ?? 2), rate: 0.5))
    }

    @Test("a negative rate starts no output")
    func backward() throws {
        var machine = Self.paused()
        _ = machine.setRate(-1, time: .zero, hostTime: nil, at: Self.host(0))
        let waiting = try #require(machine.waitingStart)
        #expect(machine.begin(waiting, at: Self.host(0)) == [])
        #expect(machine.waitingStart == nil && machine.line.rate == 0)
    }

    // MARK: Late answers

    @Test("an answer to an older start changes nothing")
    func lateAnswer() throws {
        var machine = Self.paused()
        _ = machine.setRate(1, time: .zero, hostTime: nil, at: Self.host(0))
        let start = try Self.begin(&machine)
        _ = machine.setRate(0, time: .invalid, hostTime: nil, at: Self.host(1))
        let line = machine.line
        #expect(machine.started(start.generation, at: Self.host(2)) == [])
        #expect(machine.line == line)
    }

    @Test("a repeated answer to the newest start moves the line")
    func repeatedAnswer() throws {
        let (playing, generation) = try Self.playing()
        var machine = playing
        #expect(machine.started(generation, at: Self.host(2)) == [.publishLine(isJump: false)])
        #expect(machine.line == PresentationLine(time: .zero, host: Self.host(2), rate: 1))
    }

    @Test("data that suffices for an older start begins nothing")
    func lateData() throws {
        var machine = Self.paused()
        _ = machine.setRate(1, time: .zero, hostTime: nil, at: Self.host(0))
        let waiting = try #require(machine.waitingStart)
        _ = machine.setRate(1, time: Self.time(5), hostTime: nil, at: Self.host(1))
        #expect(machine.begin(waiting, at: Self.host(2)) == [])
        #expect(machine.waitingStart?.time == Self.time(5))
    }

    @Test("one of two threads that find enough data begins the start")
    func beginsOnce() throws {
        var machine = Self.paused()
        _ = machine.setRate(1, time: .zero, hostTime: nil, at: Self.host(0))
        let waiting = try #require(machine.waitingStart)
        #expect(machine.begin(waiting, at: Self.host(0)).count == 1)
        #expect(machine.begin(waiting, at: Self.host(0)) == [])
    }

    // MARK: Rate and time

    @Test("the same rate changes nothing; with a host time it starts anew")
    func sameRate() throws {
        var machine = try Self.playing().machine
        let line = machine.line
        #expect(machine.setRate(1, time: .invalid, hostTime: nil, at: Self.host(2)) == [])
        #expect(machine.line == line)
        #expect(
            machine.setRate(1, time: .invalid, hostTime: Self.host(5), at: Self.host(2)) == [
                .publishLine(isJump: false), .stand([1, 2], at: Self.time(2)), .tryStart,
            ])
        #expect(try Self.begin(&machine).hostTime == Self.host(5))
    }

    @Test("a jump while playing silences the outputs until the new start")
    func jump() throws {
        var machine = try Self.playing().machine
        #expect(
            machine.setRate(1, time: Self.time(30), hostTime: nil, at: Self.host(2)) == [
                .publishLine(isJump: true), .stop([1, 2], at: Self.time(30)), .tryStart,
            ])
        #expect(machine.line == PresentationLine(standingAt: Self.time(30), since: Self.host(2)))
        #expect(machine.waitingStart?.asked == [1, 2])
    }

    @Test("a stop keeps the time being heard, and ends a start that waits")
    func stop() throws {
        var machine = try Self.playing().machine
        #expect(
            machine.setRate(0, time: .invalid, hostTime: nil, at: Self.host(3)) == [
                .publishLine(isJump: false), .stop([1, 2], at: Self.time(3)), .notifyRate,
                .notifyPlaying([1, 2], false),
            ])
        #expect(
            machine.setRate(0, time: .invalid, hostTime: nil, at: Self.host(4)) == [
                .publishLine(isJump: false), .stop([1, 2], at: Self.time(3)),
            ])
        _ = machine.setRate(1, time: .invalid, hostTime: nil, at: Self.host(5))
        #expect(machine.waitingStart?.time == Self.time(3))
        _ = machine.setRate(0, time: .invalid, hostTime: nil, at: Self.host(6))
        #expect(machine.waitingStart == nil)
    }

    // MARK: Another speed

    @Test("at another speed time runs on; the outputs drop their sound and join")
    func speed() throws {
        var machine = try Self.playing().machine
        #expect(
            machine.setRate(2, time: .invalid, hostTime: nil, at: Self.host(3)) == [
                .publishLine(isJump: false), .stop([1, 2], at: Self.time(3)),
                .flush([1, 2], from: Self.time(3)), .notifyRate, .join([1, 2]),
            ])
        #expect(machine.line == PresentationLine(time: Self.time(3), host: Self.host(3), rate: 2))
        #expect(machine.startedRate == 2 && machine.waitingStart == nil)
        let join = Self.host(4).advanced(by: Machine.joinLead)
        #expect(
            machine.join(at: Self.host(4)) == Machine.Place(time: Self.time(5.4), rate: 2, hostTime: join))
    }

    @Test("at another speed a start that is not audible yet keeps its host time")
    func speedBeforeSound() throws {
        let (playing, generation) = try Self.playing()
        var machine = playing
        _ = machine.started(generation, at: Self.host(5))
        _ = machine.setRate(2, time: .invalid, hostTime: nil, at: Self.host(1))
        #expect(machine.line == PresentationLine(time: .zero, host: Self.host(5), rate: 2))
    }

    @Test("at another speed that keeps the sound, time stands until the outputs start")
    func keptSound() throws {
        var machine = try Self.playing().machine
        #expect(
            machine.setRate(2, time: .invalid, hostTime: nil, keepsSound: true, at: Self.host(3)) == [
                .publishLine(isJump: false), .stand([1, 2], at: Self.time(3)), .notifyRate, .tryStart,
            ])
        #expect(machine.line == PresentationLine(standingAt: Self.time(3), since: Self.host(3)))
        #expect(machine.waitingStart?.asked == [1, 2])
    }

    @Test("another speed before the first answer drops the sound, and its start does not wait for data")
    func speedBeforeAnswer() {
        var machine = Self.paused()
        _ = machine.setRate(1, time: .zero, hostTime: nil, at: Self.host(0))
        #expect(
            machine.setRate(2, time: .invalid, hostTime: nil, at: Self.host(1)) == [
                .publishLine(isJump: false), .stop([1, 2], at: .zero), .flush([1, 2], from: .zero),
                .notifyRate, .tryStart,
            ])
        #expect(machine.waitingStart?.asked == [])
    }

    @Test("another speed at another time drops the sound from the time being heard")
    func speedAndJump() throws {
        var machine = try Self.playing().machine
        #expect(
            machine.setRate(2, time: Self.time(30), hostTime: nil, at: Self.host(3)) == [
                .publishLine(isJump: true), .stop([1, 2], at: Self.time(30)),
                .flush([1, 2], from: Self.time(3)), .notifyRate, .tryStart,
            ])
        #expect(machine.waitingStart?.asked == [])
    }

    @Test("another speed after a pause drops the sound, and its start waits for data")
    func speedAfterPause() throws {
        var machine = try Self.playing().machine
        _ = machine.setRate(0, time: .invalid, hostTime: nil, at: Self.host(3))
        #expect(
            machine.setRate(2, time: .invalid, hostTime: nil, at: Self.host(5)) == [
                .publishLine(isJump: false), .stand([1, 2], at: Self.time(3)),
                .flush([1, 2], from: Self.time(3)), .notifyRate, .tryStart,
            ])
        #expect(machine.waitingStart?.asked == [1, 2])
    }

    @Test("sound whose rate is forgotten is not dropped")
    func forgottenRate() throws {
        var machine = try Self.playing().machine
        machine.forgetRate()
        #expect(machine.startedRate == 0)
        #expect(
            machine.setRate(2, time: .invalid, hostTime: nil, at: Self.host(3)) == [
                .publishLine(isJump: false), .stand([1, 2], at: Self.time(3)), .notifyRate, .tryStart,
            ])
    }

    // MARK: Queues

    @Test("a queue joins the running sound, and is part of a start that waits")
    func add() throws {
        var machine = try Self.playing().machine
        #expect(machine.add(3) == [.join([3])])
        _ = machine.setRate(1, time: Self.time(9), hostTime: nil, at: Self.host(1))
        #expect(machine.add(4) == [])
        #expect(machine.waitingStart?.queues == [1, 2, 3, 4])
    }

    @Test("a queue that is removed is emptied, and no start waits for it")
    func remove() {
        var machine = Self.paused()
        #expect(machine.remove(1) == [.release(1), .tryStart])
        _ = machine.add(3)
        _ = machine.setRate(1, time: .zero, hostTime: nil, at: Self.host(0))
        #expect(machine.remove(2) == [.notifyPlaying([2], false), .release(2), .tryStart])
        #expect(machine.waitingStart?.asked == [3])
    }

    @Test("time stands while a queue moves; its start waits if the sound is whole", arguments: [true, false])
    func move(isWhole: Bool) throws {
        let (playing, generation) = try Self.playing()
        var machine = playing
        #expect(
            machine.move(2, isWhole: isWhole, at: Self.host(3)) == [.publishLine(isJump: false), .tryStart])
        #expect(machine.line == PresentationLine(standingAt: Self.time(3), since: Self.host(3)))
        #expect(machine.waitingStart?.asked == (isWhole ? [1, 2] : []))
        #expect(machine.started(generation, at: Self.host(4)) == [])
    }

    @Test("a move before a start at a host time makes it a start as soon as possible")
    func moveBeforeStart() throws {
        var machine = Self.paused()
        _ = machine.setRate(1, time: .zero, hostTime: Self.host(9), at: Self.host(0))
        _ = machine.move(1, isWhole: true, at: Self.host(1))
        #expect(try Self.begin(&machine).hostTime == nil)
    }

    @Test("a move changes nothing while paused, nor if the queue is of another timeline")
    func moveOfNoImport() throws {
        var machine = Self.paused()
        #expect(machine.move(1, isWhole: false, at: Self.host(1)) == [])
        var playing = try Self.playing().machine
        let line = playing.line
        #expect(playing.move(7, isWhole: false, at: Self.host(1)) == [])
        #expect(playing.line == line)
    }

    // MARK: Corrections

    @Test("a start that nothing has overtaken needs no correction")
    func noCorrection() throws {
        let (playing, generation) = try Self.playing()
        var machine = playing
        #expect(machine.correct(after: generation) == [])
    }

    @Test("a pause that overtook a start stops the outputs again")
    func correctPause() throws {
        let (playing, generation) = try Self.playing()
        var machine = playing
        _ = machine.setRate(0, time: .invalid, hostTime: nil, at: Self.host(1))
        #expect(machine.correct(after: generation) == [.stop([1, 2], at: Self.time(1))])
    }

    @Test("a change of speed that overtook a start joins the outputs again")
    func correctSpeed() throws {
        let (playing, generation) = try Self.playing()
        var machine = playing
        _ = machine.setRate(2, time: .invalid, hostTime: nil, at: Self.host(1))
        #expect(machine.correct(after: generation) == [.join([1, 2])])
    }

    @Test("a newer start that overtook an older one begins again, and its answer counts")
    func correctStart() throws {
        var machine = Self.paused()
        _ = machine.setRate(1, time: .zero, hostTime: nil, at: Self.host(0))
        let old = try Self.begin(&machine)
        _ = machine.setRate(1, time: Self.time(5), hostTime: nil, at: Self.host(1))
        let new = try Self.begin(&machine)
        #expect(machine.waitingStart == nil)
        #expect(machine.correct(after: old.generation) == [.tryStart])
        let again = try Self.begin(&machine)
        #expect(again == new)
        #expect(machine.started(old.generation, at: Self.host(2)) == [])
        #expect(machine.started(again.generation, at: Self.host(2)) == [.publishLine(isJump: false)])
        #expect(machine.line == PresentationLine(time: Self.time(5), host: Self.host(2), rate: 1))
    }
}
