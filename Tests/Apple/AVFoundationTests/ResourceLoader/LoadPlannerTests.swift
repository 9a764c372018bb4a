import Foundation
import Testing
import TuttiTestSupport
import TuttiWeb

@testable import AVFoundation

@Suite("Byte ranges requested from a program")
struct LoadPlannerTests {
    private static let megabyte = 1 << 20

    /// Content whose bytes state their position.
    private static func content(_ range: Range<Int64>) -> Data {
        Data(range.map { UInt8(truncatingIfNeeded: $0 % 251) })
    }

    private func opened(length: Int64?, givesRanges: Bool) -> LoadPlanner {
        var planner = LoadPlanner()
        _ = planner.openingStep()
        #expect(planner.takeQuestion() == .init(offset: 0, length: 2, wantsFacts: true))
        planner.learn(length: length, givesRanges: givesRanges)
        planner.finish()
        return planner
    }

    /// Reads up to a count of bytes, and answers every request with the content.
    private func read(_ planner: inout LoadPlanner, _ count: Int, of length: Int64) -> (
        Data, questions: [LoadPlanner.Question]
    ) {
        var (data, questions) = (Data(), [LoadPlanner.Question]())
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)
        defer { room.deallocate() }
        while data.count < count {
            let step = planner.read(into: room, keeping: 64 << 10)
            if let question = planner.takeQuestion() {
                questions.append(question)
                planner.receive(Self.content(question.offset..<min(question.end, length)))
                planner.finish()
            }
            switch step {
            case .bytes(let count): data += room[..<count]
            case .wait, .ready: continue
            case .end, .failed: return (data, questions)
            }
        }
        return (data, questions)
    }

    @Test("requests of a megabyte follow the reader, and few bytes are held")
    func ranges() {
        let length = Int64(5 * Self.megabyte + 17)
        var planner = opened(length: length, givesRanges: true)
        let (data, questions) = read(&planner, .max, of: length)
        #expect(data == Self.content(0..<length))
        #expect(questions.count == 6 && questions.allSatisfy { $0.length <= Self.megabyte })
        #expect(questions.last?.wantsAll == true && questions.dropLast().allSatisfy { !$0.wantsAll })
        #expect(planner.ranges.reduce(0) { $0 + $1.count } <= 3 * Self.megabyte)
    }

    @Test("a seek requests the range at its position")
    func seek() {
        let length = Int64(100 * Self.megabyte)
        var planner = opened(length: length, givesRanges: true)
        _ = read(&planner, 1000, of: length)
        planner.position = 70_000_000
        let (data, questions) = read(&planner, 1000, of: length)
        #expect(questions.first?.offset == 70_000_000)
        #expect(data.prefix(1000) == Self.content(70_000_000..<70_001_000))
    }

    @Test(
        "without range support everything is requested once, also after seeks, with and without a length",
        arguments: [true, false])
    func whole(hasLength: Bool) {
        let length = Int64(300_000)
        var planner = opened(length: hasLength ? length : nil, givesRanges: false)
        let (data, questions) = read(&planner, .max, of: length)
        #expect(data == Self.content(0..<length) && questions.count == 1)
        #expect(questions.first == .init(offset: 0, length: hasLength ? 300_000 : .max, wantsAll: true))
        planner.position = 1000
        let (again, more) = read(&planner, .max, of: length)
        #expect(again == Self.content(1000..<length) && more.isEmpty)
    }

    @Test("fewer bytes than promised are an error; surplus bytes are ignored", arguments: [true, false])
    func lies(givesRanges: Bool) {
        var short = opened(length: 1000, givesRanges: givesRanges)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        defer { room.deallocate() }
        _ = short.read(into: room, keeping: 0)
        _ = short.takeQuestion()
        short.receive(Self.content(0..<400))
        short.finish()
        guard case .bytes(400) = short.read(into: room, keeping: 0) else { return #expect(Bool(false)) }
        guard case .failed(.program(let reason, _, _)) = short.read(into: room, keeping: 0) else {
            return #expect(Bool(false))
        }
        #expect(reason.contains("1000 bytes were promised") && reason.contains("after 400"))

        var long = opened(length: 1000, givesRanges: givesRanges)
        _ = long.read(into: room, keeping: 0)
        _ = long.takeQuestion()
        long.receive(Self.content(0..<5000))
        long.receive(Self.content(0..<5000))
        long.finish()
        guard case .bytes(1000) = long.read(into: room, keeping: 0),
            case .end = long.read(into: room, keeping: 0)
        else { return #expect(Bool(false)) }
    }

    @Test("absurd lengths and positions do not trap", arguments: [Int64.max, 1 << 62, 1])
    func absurd(length: Int64) {
        var planner = opened(length: length, givesRanges: true)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        defer { room.deallocate() }
        for place in [0, length - 1, length, .max] {
            planner.position = place
            _ = planner.read(into: room, keeping: 0)
            if let question = planner.takeQuestion() { #expect(question.length > 0) }
            planner.receive(Data(repeating: 1, count: 5))
        }
        planner.finish()
        _ = planner.read(into: room, keeping: 0)
    }
}
