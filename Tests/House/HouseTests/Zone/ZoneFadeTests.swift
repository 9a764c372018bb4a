import Testing

@testable import TuttiHouse

@Suite("Lowered volumes as a value")
struct ZoneFadeTests {
    private let kitchen = TestHouse.kitchen
    private let bath = TestHouse.bath

    /// A moment of a zone that plays its queue.
    private func moment(
        _ time: Double = 0, remaining: Double? = nil, length: Double = 20, isPlaying: Bool = true,
        playsQueue: Bool = true, isResting: Bool = false
    ) -> ZoneFade.Moment {
        ZoneFade.Moment(
            time: time, remaining: remaining, length: length, isToPlay: true, playsQueue: playsQueue,
            isPlaying: isPlaying, isResting: isResting)
    }

    @Test(
        "a share falls in a straight line to the pause, and not before its time",
        arguments: [
            (nil, 20, 1), (21, 20, 1), (20, 20, 1), (15, 20, 0.75), (1, 20, 0.05), (0, 20, 0), (-3, 20, 0),
            (0, 0, 1),
        ] as [(Double?, Double, Double)])
    func share(remaining: Double?, length: Double, expected: Double) {
        let share = ZoneFade().share(of: kitchen, at: moment(remaining: remaining, length: length))
        #expect(abs(share - expected) < 1e-9)
    }

    @Test("only changes of at least 0.4 % are sent, and a fade that is over gives the own volume back once")
    func steps() {
        var fade = ZoneFade()
        func volume(_ remaining: Double?, isResting: Bool = false) -> Double? {
            fade.volume(
                of: kitchen, own: 50,
                at: moment(remaining: remaining, length: 100, isResting: isResting))
        }
        #expect(volume(99.5) == nil && fade.lowered(kitchen) == nil)
        #expect(volume(99) == 49.5)
        #expect(volume(98.9) == nil && volume(98) == 49)
        #expect(volume(nil, isResting: true) == nil && fade.lowered(kitchen) == 49)
        #expect(volume(nil) == 50 && fade.lowered(kitchen) == nil)
        #expect(volume(nil) == nil)
    }

    @Test(
        "a room whose volume a user sets falls from there, the others as before, and a later timer forgets it"
    )
    func touched() {
        var fade = ZoneFade()
        fade.touch(kitchen, remaining: 10)
        #expect(fade.share(of: kitchen, at: moment(remaining: 10)) == 1)
        #expect(fade.share(of: kitchen, at: moment(remaining: 5)) == 0.5)
        #expect(fade.share(of: bath, at: moment(remaining: 5)) == 0.25)
        fade.advance(to: moment())
        #expect(fade.share(of: kitchen, at: moment(remaining: 10)) == 0.5)
    }

    @Test("a rise waits for the sound, goes up in a straight line, and ends at its time")
    func rise() {
        var fade = ZoneFade()
        fade.beginRise(100)
        fade.advance(to: moment(0, isPlaying: false))
        #expect(fade.rise?.began == nil && fade.share(of: kitchen, at: moment(50)) == 0.02)
        fade.advance(to: moment(10))
        #expect(fade.share(of: kitchen, at: moment(11)) == 0.02, "never silent")
        #expect(fade.share(of: kitchen, at: moment(60)) == 0.5)
        fade.advance(to: moment(109))
        #expect(fade.rise != nil)
        fade.advance(to: moment(110))
        #expect(fade.rise == nil && fade.share(of: kitchen, at: moment(110)) == 1)
    }

    @Test("a rise begins where the volume is, spares rooms, and ends when the queue does not play")
    func partialRise() {
        var fade = ZoneFade()
        fade.beginRise(10, from: 0.5, sparing: [bath])
        fade.advance(to: moment(0))
        #expect(fade.share(of: kitchen, at: moment(5)) == 0.75 && fade.share(of: bath, at: moment(5)) == 1)
        // Both at once: a zone that wakes while its timer runs.
        #expect(fade.share(of: kitchen, at: moment(5, remaining: 10)) == 0.375)
        fade.touch(kitchen, remaining: nil)
        #expect(fade.share(of: kitchen, at: moment(5)) == 1)
        fade.advance(to: moment(5, playsQueue: false))
        #expect(fade.rise == nil)
        fade.beginRise(0)
        #expect(fade.rise == nil)
    }

    @Test("a report is an echo of the last eight volumes that were sent, within one percent")
    func echoes() {
        var fade = ZoneFade()
        for volume in stride(from: 10.0, through: 90, by: 10) { fade.note(volume, of: kitchen) }
        #expect(fade.isEcho(90, of: kitchen) && fade.isEcho(21, of: kitchen) && fade.isEcho(39, of: kitchen))
        #expect(!fade.isEcho(10, of: kitchen) && !fade.isEcho(35, of: kitchen) && !fade.isEcho(90, of: bath))
        fade.forget(kitchen)
        #expect(!fade.isEcho(90, of: kitchen) && fade.lowered.isEmpty)
    }

    @Test(
        "the next step of a fade comes in 25 to 250 ms, and before the fade at its beginning",
        arguments: [
            (nil, 20, nil), (10, 20, 0.25), (10, 4, nil), (0.5, 1, 0.025), (3, 4, 0.1), (20.6, 20, 0.6),
            (20.2, 20, 0.25), (21.5, 20, nil), (5, 0, nil), (300, 600, 0.25),
        ] as [(Double?, Double, Double?)])
    func interval(remaining: Double?, length: Double, expected: Double?) {
        let found = ZoneFade().interval(at: moment(remaining: remaining, length: length))
        #expect(found.map { ($0 * 1000).rounded() } == expected.map { ($0 * 1000).rounded() })
        var idle = moment(remaining: remaining, length: length)
        idle.isToPlay = false
        #expect(ZoneFade().interval(at: idle) == nil)
    }
}

@Suite("Absent entries as a value")
struct ZoneAbsenceTests {
    private func place(_ entry: Int64, _ position: Double = 0) -> ZoneAbsence.Place {
        ZoneAbsence.Place(entry: EntryID(rawValue: entry), position: position)
    }

    @Test("attempts come after 5, 10, 20, 40 and then every 60 seconds, and anew after sound was heard")
    func pauses() {
        var absence = ZoneAbsence(at: 1000)
        #expect(absence.retryTime == 1005)
        var times: [Double] = []
        for _ in 0..<12 {
            absence.passOver(place(1))
            let now = absence.retryTime
            #expect(absence.retry(at: now) == [EntryID(rawValue: 1)])
            times.append(absence.retryTime - now)
        }
        #expect(times == [10, 20, 40] + Array(repeating: 60, count: 9))
        absence.forgetPlace()
        absence.passOver(place(2))
        _ = absence.retry(at: 5000)
        #expect(absence.retryTime == 5010)
    }

    @Test("a zone returns to the first entry that was away, and an attempt that finds all ends the absence")
    func places() {
        var absence = ZoneAbsence(at: 0)
        absence.passOver(place(3, 42))
        absence.passOver(place(4))
        #expect(absence.place == place(3, 42))
        #expect(absence.retry(at: 5) == [EntryID(rawValue: 3), EntryID(rawValue: 4)])
        #expect(absence.passedOver.isEmpty && absence.retry(at: 15) == nil)
        absence.wait(since: 20)
        absence.wait(since: 300)
        #expect(absence.waitingSince == 20 && absence.retry(at: 30) == [])
        #expect(!absence.isOver(at: 619.9) && absence.isOver(at: 620))
        absence.forgetPlace()
        #expect(absence.place == nil && !absence.isOver(at: 1e9))
    }

    @Test("sixteen entries are enough to give a folder up, whatever was passed over twice")
    func full() {
        var absence = ZoneAbsence(at: 0)
        for entry in [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as [Int64] {
            absence.passOver(place(entry))
        }
        #expect(!absence.isFull)
        absence.passOver(place(16))
        #expect(absence.isFull)
    }
}
