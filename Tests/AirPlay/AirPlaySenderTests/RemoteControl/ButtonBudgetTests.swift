import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiSystemIO

@testable import AirPlaySender

@Suite("Rate limits of a speaker's buttons")
struct ButtonBudgetTests {
    private func time(_ milliseconds: Int) -> HostTime {
        HostTime(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    @Test("a flood counts as a few presses until the speaker pauses", arguments: [1, 20, 200])
    func flood(millisecondsApart: Int) {
        var budget = ButtonBudget(at: time(0))
        var taken = 0
        for press in 0..<(60_000 / millisecondsApart) {
            if budget.take(.mediaRemote(.nextItem), at: time(press * millisecondsApart)) { taken += 1 }
        }
        #expect(taken <= 10)
        let atOnce = budget.take(.mediaRemote(.nextItem), at: time(60_000))
        let later = budget.take(.mediaRemote(.nextItem), at: time(67_000))
        #expect(!atOnce && later)
    }

    @Test("one press a second, and five presses at once, always count")
    func person() {
        var budget = ButtonBudget(at: time(0))
        for second in 0..<600 {
            let isTaken = budget.take(.mediaRemote(.nextItem), at: time(second * 1000))
            #expect(isTaken)
        }
        for _ in 0..<5 {
            let isTaken = budget.take(DACPCommand.nextItem, at: time(610_000))
            #expect(isTaken)
        }
        // A volume wheel sends many small steps at the same time.
        for step in 0..<100 {
            let isTaken = budget.take(DACPCommand.volumeUp, at: time(610_000 + step * 70))
            #expect(isTaken)
        }
    }

    @Test("queries do not use up the budget for button presses")
    func questions() {
        var budget = ButtonBudget(at: time(0))
        for number in 0..<1000 { _ = budget.take(DACPCommand.other("getspeakers"), at: time(number * 100)) }
        let isTaken = budget.take(DACPCommand.nextItem, at: time(100_000))
        #expect(isTaken)
    }

    @Test("connections and requests are limited per speaker, and the number of known speakers is limited")
    func guests() {
        var guests = DACPGuests()
        let (one, two) = (IPAddress(192, 0, 2, 1), IPAddress(192, 0, 2, 2))
        let taken = (0..<10).count { _ in guests.connect(one, at: time(0)) }
        #expect(taken == 4)
        let other = guests.connect(two, at: time(0))
        #expect(other)
        guests.disconnect(one)
        let again = guests.connect(one, at: time(0))
        #expect(again)
        let asked = (0..<48_000).count { guests.ask(one, at: time($0 / 48)) }
        #expect(asked <= 61)
        for number in 0..<200 { _ = guests.ask(IPAddress(10, 0, 0, UInt8(number)), at: time(number)) }
        #expect(guests.count <= DACPGuests.speakerLimit + 2)
    }
}
