import Glibc
import Testing
import TuttiMediaTime

@testable import TuttiSystemIO

@Suite("Changes of folders, coalesced")
struct ChangeDebounceTests {
    private func time(_ seconds: Double) -> HostTime {
        HostTime(nanoseconds: 0).advanced(by: .seconds(seconds))
    }

    @Test("a burst is reported once, a second after its end")
    func burst() {
        var debounce = ChangeDebounce()
        #expect(debounce.deadline == nil && debounce.take(at: time(9)) == nil)
        debounce.note(.folders(["a"]), at: time(0))
        debounce.note(nil, at: time(0.4))
        debounce.note(.folders(["b"]), at: time(0.5))
        #expect(debounce.deadline == time(1.5) && debounce.take(at: time(1.4)) == nil)
        #expect(debounce.take(at: time(1.5)) == .folders(["a", "b"]))
        #expect(debounce.deadline == nil && debounce.take(at: time(9)) == nil)
    }

    @Test("a burst without an end is reported every five seconds")
    func endless() {
        var debounce = ChangeDebounce()
        for tenth in 0..<49 { debounce.note(.folders(["\(tenth)"]), at: time(Double(tenth) / 10)) }
        #expect(debounce.deadline == time(5))
        guard case .folders(let all) = debounce.take(at: time(5)) else { Issue.record("no report"); return }
        #expect(all.count == 49)
    }

    @Test("more folders than the limit, and a lost event, mean everything")
    func everything() {
        var debounce = ChangeDebounce()
        for number in 0...ChangeDebounce.folderLimit { debounce.note(.folders(["\(number)"]), at: time(0)) }
        #expect(debounce.take(at: time(1)) == .everything)
        debounce.note(.everything, at: time(2))
        debounce.note(.folders(["a"]), at: time(2))
        #expect(debounce.take(at: time(3)) == .everything)
    }

    @Test("events are parsed from any bytes; an incomplete one is dropped")
    func parsing() {
        let event: [UInt8] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 97, 98, 0, 0]
        let known = WatchEvent(number: 1, mask: UInt32(IN_CREATE), name: "ab")
        for length in 0...event.count {
            let bytes = event + event.prefix(length)
            let found = bytes.withUnsafeBytes { WatchEvent.all(in: $0) }
            #expect(found == (length == event.count ? [known, known] : [known]))
        }
        let huge = Array(event.prefix(12)) + [255, 255, 255, 255, 1]
        #expect(huge.withUnsafeBytes { WatchEvent.all(in: $0) }.isEmpty)
    }

    @Test("a full queue means everything, and an event of an unknown watch means nothing")
    func unknownEvents() {
        var folders = WatchedFolders()
        let overflow = WatchEvent(number: -1, mask: UInt32(IN_Q_OVERFLOW), name: "")
        #expect(folders.handle(overflow).change == .everything)
        #expect(folders.handle(WatchEvent(number: 7, mask: UInt32(IN_CREATE), name: "a")) == .init())
    }

    @Test("a folder that has moved keeps its number and gets its new path")
    func movedFolder() {
        var folders = WatchedFolders()
        #expect(folders.insert(1, "/a") && !folders.insert(1, "/a") && folders.insert(1, "/b"))
        let written = WatchEvent(number: 1, mask: UInt32(IN_CLOSE_WRITE), name: "x")
        #expect(folders.handle(written).change == .folders(["/b"]))
        #expect(folders.insert(2, "/b") && folders.remove("/b") == [2])
    }
}
