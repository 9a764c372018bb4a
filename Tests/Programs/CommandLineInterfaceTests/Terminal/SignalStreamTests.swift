import Glibc
import Testing

@testable import TuttiCommandLineInterface

@Suite("Signals as a stream", .serialized, .timeLimit(.minutes(10)))
struct SignalStreamTests {
    @Test("a signal comes as its number, also one that arrives before anyone reads")
    func delivery() async {
        let stream = SignalStream.of([SIGUSR1, SIGUSR2])
        kill(getpid(), SIGUSR2)
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() == SIGUSR2)
        kill(getpid(), SIGUSR1)
        #expect(await iterator.next() == SIGUSR1)
    }

    @Test("two streams of one signal both get it; each stream only its own signals")
    func twoStreams() async {
        var first = SignalStream.of([SIGUSR1]).makeAsyncIterator()
        var second = SignalStream.of([SIGUSR2, SIGUSR1]).makeAsyncIterator()
        kill(getpid(), SIGUSR1)
        #expect(await first.next() == SIGUSR1)
        #expect(await second.next() == SIGUSR1)
        kill(getpid(), SIGUSR2)
        #expect(await second.next() == SIGUSR2)
        kill(getpid(), SIGUSR1)
        #expect(await first.next() == SIGUSR1)
    }

    @Test("a signal without a stream is its old self again")
    func release() async {
        func handler() -> Bool {
            var current = sigaction()
            sigaction(SIGURG, nil, &current)
            return current.__sigaction_handler.sa_handler != nil
        }
        do {
            let stream = SignalStream.of([SIGURG])
            #expect(handler())
            _ = consume stream
        }
        #expect(!handler())
    }
}
