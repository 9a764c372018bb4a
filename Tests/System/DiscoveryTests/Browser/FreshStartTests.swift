import Testing

@testable import TuttiDiscovery

@Suite("Restart of a responder that has found nothing")
struct FreshStartTests {
    @Test("the restart is out of step with a neighbour that began up to 0.7 s before")
    func isOutOfStep() throws {
        let wait = try #require(FreshStart.waits.first)
        let starts = wait.milliseconds...(wait.milliseconds + wait.jitter)
        for lead in stride(from: 0, through: 700, by: 10) {
            for question in [1000, 3000, 7000] {
                let from = UInt32(question - lead)
                #expect(!starts.overlaps(from...(from + 699)), "a neighbour of \(lead) ms before")
            }
        }
    }
}
