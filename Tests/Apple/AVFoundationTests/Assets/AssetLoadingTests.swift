import Dispatch
import Foundation
import Synchronization
import Testing
import TuttiCodecs
import TuttiTestMedia
import TuttiTestSupport

@testable import AVFoundation

@Suite("One shared load for all callers")
struct AssetLoadingTests {
    /// An opening that completes when the test says so, and counts its starts.
    private final class Gate: Sendable {
        let begun = Recorder(0)
        private let isOpen = DispatchSemaphore(value: 0)
        let path: String

        init(_ path: String) { self.path = path }

        func open() { isOpen.signal() }

        func contents(_ interrupt: MediaInterrupt) throws -> AssetContents {
            begun.update { $0 += 1 }
            isOpen.wait()
            return AssetContents(try MediaReader(path, interrupt: interrupt).info)
        }
    }

    private let folder: TestFolder
    private let gate: Gate

    init() throws {
        folder = try TestFolder()
        try MediaFile.kind("a.wav").write(Signal.sweep(frameCount: 1000), to: folder.file("a.wav"))
        gate = Gate(folder.file("a.wav"))
    }

    private func loading() -> AssetLoading {
        let gate = gate
        return AssetLoading { try gate.contents($0) }
    }

    @Test("concurrent callers share one load")
    func shared() async throws {
        let loading = loading()
        guard case .idle = loading.progress else {
            Issue.record("nobody has asked")
            return
        }
        let handed = Recorder(0)
        for _ in 0..<3 { loading.whenFinished { _ in handed.update { $0 += 1 } } }
        async let counts = withThrowingTaskGroup(of: Int64?.self) { group in
            for _ in 0..<5 { group.addTask { try await loading.contents().frameCount } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        _ = try await gate.begun.wait(for: "a begin") { $0 > 0 ? true : nil }
        guard case .loading = loading.progress else {
            Issue.record("it has begun")
            return
        }
        #expect(loading.loaded == nil)
        gate.open()
        #expect(try await counts == Array(repeating: 1000, count: 5))
        _ = try await handed.wait(for: "three answers") { $0 == 3 ? true : nil }
        #expect(try await loading.contents() === loading.loaded)
        #expect(gate.begun.value == 1)
    }

    @Test("a cancelled task stops waiting; other callers keep waiting")
    func cancelledTask() async throws {
        let loading = loading()
        let patient = Task { try await loading.contents().frameCount }
        let hasty = Task { try await loading.contents().frameCount }
        _ = try await gate.begun.wait(for: "a begin") { $0 > 0 ? true : nil }
        hasty.cancel()
        await #expect(throws: CancellationError.self) { try await hasty.value }
        gate.open()
        #expect(try await patient.value == 1000)
    }

    @Test("a task cancelled before the load does not wait at all")
    func cancelledBefore() async throws {
        let loading = loading()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await loading.contents().frameCount
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        #expect(try await loading.contents().frameCount == 1000)
    }

    @Test("cancelling the load ends all waits at once; the next call starts a new load")
    func cancelled() async throws {
        let loading = loading()
        let task = Task { try await loading.contents().frameCount }
        _ = try await gate.begun.wait(for: "a begin") { $0 > 0 ? true : nil }
        loading.cancel()
        let error = await #expect(throws: AVError.self) { try await task.value }
        #expect(error?.code == .operationCancelled)
        gate.open()
        gate.open()
        #expect(try await loading.contents().frameCount == 1000)
        #expect(gate.begun.value == 2)
        loading.cancel()
        #expect(loading.loaded?.frameCount == 1000)
    }

    @Test("a load that is deallocated releases its waiting callers")
    func gone() async throws {
        let answer = Recorder<AVError.Code?>(nil)
        do {
            let loading = loading()
            loading.whenFinished { result in
                if case .failure(let error) = result { answer.update { $0 = error.code } }
            }
        }
        #expect(try await answer.wait(for: "an answer") { $0 } == .operationCancelled)
        gate.open()
    }
}
