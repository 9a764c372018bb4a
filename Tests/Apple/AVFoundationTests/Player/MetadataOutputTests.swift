import Foundation
import Testing

@testable import AVFoundation

@Suite("Settings of a metadata output")
struct MetadataOutputTests {
    private final class Receiver: NSObject, AVPlayerItemMetadataOutputPushDelegate {}

    @Test("a delegate is held weakly, and has the main queue unless another one is given")
    func delegates() {
        let output = AVPlayerItemMetadataOutput(identifiers: nil)
        #expect(output.delegate == nil && output.delegateQueue == nil)
        do {
            let receiver = Receiver()
            output.setDelegate(receiver, queue: nil)
            #expect(output.delegate === receiver && output.delegateQueue?.label == DispatchQueue.main.label)
            let queue = DispatchQueue(label: "titles")
            output.setDelegate(receiver, queue: queue)
            #expect(output.delegateQueue === queue)
            withExtendedLifetime(receiver) {}
        }
        #expect(output.delegate == nil)
        output.setDelegate(nil, queue: DispatchQueue(label: "unused"))
        #expect(output.delegateQueue == nil)
    }

    @Test(
        "the interval before a title is kept; a negative one and none are 0",
        arguments: [
            (2.5, 2.5), (0, 0), (-1, 0), (.nan, 0), (.infinity, .infinity), (-.infinity, 0), (1e300, 1e300),
        ]
            as [(Double, Double)])
    func interval(set: Double, expected: Double) {
        let output = AVPlayerItemMetadataOutput(identifiers: ["common/title"])
        #expect(output.advanceIntervalForDelegateInvocation == 0)
        output.advanceIntervalForDelegateInvocation = set
        #expect(output.advanceIntervalForDelegateInvocation == expected)
    }

    @Test("an output of no item has no time, and belongs to the items that take it one after the other")
    func items() {
        let output = AVPlayerItemMetadataOutput()
        #expect(!output.itemTime(forHostTime: 5).isValid && !output.itemTime(forHostTime: .nan).isValid)
        #expect(!output.itemTime(forMachAbsoluteTime: .max).isValid)
        let (first, second) = (AVPlayerItem(tuttiLocation: "/a.wav"), AVPlayerItem(tuttiLocation: "/b.wav"))
        first.add(output)
        first.add(output)
        #expect(first.outputs == [output] && output.item === first)
        second.remove(output)
        #expect(output.item === first && !output.attach(to: second))
        first.remove(output)
        first.remove(output)
        #expect(first.outputs.isEmpty && output.item == nil)
        second.add(output)
        #expect(second.outputs == [output] && output.item === second)
    }
}
