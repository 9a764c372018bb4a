import AirPlaySender
import AVFoundation
import Playback
import TuttiSystemIO

/// The speaker named by a program's first argument.
public enum Speaker {
    /// Makes the speaker the output of every renderer made from now on.
    ///
    /// - Returns: `false`, after printing the reason, if there is no address.
    public static func selectFromArguments() -> Bool {
        var options = RouteCatalogue.Options()
        options.volume = 25
        do {
            RouteCatalogue.shared.select([try target()], options: options)
            return true
        } catch {
            print(error)
            return false
        }
    }

    private static func target() throws -> SpeakerTarget {
        guard let text = CommandLine.arguments.dropFirst().first, let address = IPAddress(text) else {
            throw Usage()
        }
        return SpeakerTarget(name: text, addresses: [SocketAddress(address, port: 7000)])
    }

    private struct Usage: Error, CustomStringConvertible {
        let description = "usage: \(CommandLine.arguments[0]) IP-ADDRESS"
    }

    /// Prints the speaker's failures, until the task is cancelled.
    public static func printTroubles() async {
        for await case .speaker(let event) in RouteCatalogue.shared.events {
            switch event {
            case .state(_, .lost(let failure)): print(failure.message)
            case .warning(_, _, let message): print(message)
            default: break
            }
        }
    }
}

extension AVSampleBufferRenderSynchronizer {
    /// Waits until `time` has played.
    public func reach(_ time: CMTime) async {
        await withCheckedContinuation { continuation in
            _ = addBoundaryTimeObserver(forTimes: [NSValue(time: time)], queue: .global()) {
                continuation.resume()
            }
        }
    }
}
