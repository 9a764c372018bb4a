import Foundation
import Testing
import TuttiWeb

@testable import AVFoundation

@Suite("Requests to a program that are withdrawn")
struct WithdrawnRequestTests {
    private func opened(length: Int64?, givesRanges: Bool) -> LoadPlanner {
        var planner = LoadPlanner()
        _ = planner.openingStep()
        _ = planner.takeQuestion()
        planner.learn(length: length, givesRanges: givesRanges)
        planner.finish()
        return planner
    }

    private func read(_ planner: inout LoadPlanner, _ count: Int) -> (data: [UInt8], isWaiting: Bool) {
        var room = [UInt8](repeating: 0, count: count)
        let step = room.withUnsafeMutableBytes { planner.read(into: $0, keeping: 0) }
        switch step {
        case .bytes(let count): return (Array(room.prefix(count)), false)
        case .wait: return ([], true)
        case .ready, .end, .failed: return ([], false)
        }
    }

    @Test("a first request that is withdrawn is made again")
    func opening() {
        var planner = LoadPlanner()
        _ = planner.openingStep()
        let first = planner.takeQuestion()
        #expect(first?.wantsFacts == true)
        planner.questionWasDropped()
        #expect(planner.takeQuestion() == nil)
        guard case .wait = planner.openingStep() else { return #expect(Bool(false)) }
        #expect(planner.takeQuestion() == first)
    }

    @Test("a range that is withdrawn is requested from the byte at which it stopped")
    func range() {
        var planner = opened(length: 5000, givesRanges: true)
        #expect(read(&planner, 100).isWaiting)
        #expect(planner.takeQuestion()?.offset == 0)
        planner.receive(Data(repeating: 7, count: 60))
        planner.questionWasDropped()
        // Bytes of a withdrawn request are nobody's.
        planner.receive(Data(repeating: 9, count: 60))
        #expect(read(&planner, 100).data == [UInt8](repeating: 7, count: 60))
        #expect(planner.takeQuestion()?.offset == 60)
        planner.receive(Data(repeating: 8, count: 40))
        #expect(read(&planner, 100).data == [UInt8](repeating: 8, count: 40))
    }

    @Test("content without ranges is requested from its beginning again", arguments: [true, false])
    func whole(hasLength: Bool) {
        var planner = opened(length: hasLength ? 100 : nil, givesRanges: false)
        #expect(read(&planner, 30).isWaiting)
        #expect(planner.takeQuestion()?.wantsAll == true)
        planner.receive(Data((0..<50).map { UInt8($0) }))
        #expect(read(&planner, 30).data == (0..<30).map { UInt8($0) })
        planner.questionWasDropped()
        #expect(planner.ranges.isEmpty)
        #expect(read(&planner, 30).isWaiting)
        let again = planner.takeQuestion()
        #expect(again?.offset == 0 && again?.wantsAll == true)
        planner.receive(Data((0..<20).map { UInt8($0) }))
        #expect(read(&planner, 30).isWaiting)
        planner.receive(Data((20..<100).map { UInt8($0) }))
        #expect(read(&planner, 100).data == (30..<100).map { UInt8($0) })
    }

    @Test("the first failure stays, and bytes that came before it are still read")
    func failures() {
        var planner = opened(length: 5000, givesRanges: true)
        #expect(read(&planner, 100).isWaiting)
        _ = planner.takeQuestion()
        planner.receive(Data(repeating: 7, count: 60))
        planner.fail(LoadedSource.failure("first"))
        planner.fail(LoadedSource.failure("second"))
        planner.receive(Data(repeating: 9, count: 60))
        #expect(read(&planner, 100).data.count == 60)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
        defer { room.deallocate() }
        guard case .failed(.program(let reason, _, _)) = planner.read(into: room, keeping: 0) else {
            return #expect(Bool(false))
        }
        #expect(reason.contains("first") && planner.takeQuestion() == nil)
    }
}
