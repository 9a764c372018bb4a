import Synchronization
import Testing

@testable import AVFoundation

@Suite("Outcomes that callers wait for")
struct LoadingOutcomeTests {
    private struct Failure: Error, Equatable {
        var number: Int
    }

    @Test("waiters are called once, in their order, and later ones at once")
    func order() {
        let outcome = LoadingOutcome<Int, Failure>()
        let calls = Mutex<[String]>([])
        for name in ["a", "b", "c"] {
            outcome.whenFinished { result in
                let text = (try? result.get()).map { "\(name)\($0)" } ?? "\(name)?"
                calls.withLock { $0.append(text) }
            }
        }
        #expect(outcome.result == nil && calls.withLock { $0.isEmpty })
        outcome.finish(.success(5))
        #expect(calls.withLock { $0 } == ["a5", "b5", "c5"])
        outcome.whenFinished { _ in calls.withLock { $0.append("late") } }
        #expect(calls.withLock { $0.last } == "late")
        outcome.wait()
    }

    @Test("the first outcome counts")
    func first() async {
        let outcome = LoadingOutcome<Int, Failure>()
        outcome.finish(.failure(Failure(number: 1)))
        outcome.finish(.success(2))
        outcome.finish(.failure(Failure(number: 3)))
        let error = await #expect(throws: Failure.self) { try await outcome.value() }
        #expect(error == Failure(number: 1))
    }

    @Test("a waiter may ask again while it is called")
    func reentrant() {
        let outcome = LoadingOutcome<Int, Failure>()
        let calls = Mutex(0)
        outcome.whenFinished { _ in
            outcome.whenFinished { _ in calls.withLock { $0 += 1 } }
            outcome.finish(.success(9))
        }
        outcome.finish(.success(1))
        #expect(calls.withLock { $0 } == 1)
        #expect((try? outcome.result?.get()) == 1)
    }

    @Test("a task that is cancelled before it waits gets no value, and others do")
    func cancelled() async throws {
        let outcome = LoadingOutcome<Int, Failure>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await outcome.value()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        outcome.finish(.success(4))
        #expect(try await outcome.value() == 4)
    }
}
