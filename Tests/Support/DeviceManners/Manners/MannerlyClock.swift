import AirPlayReceiver
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// The clock of a stand-in: it follows senders' clocks, or none, or serves its own.
final class MannerlyClock: SpeakerClock {
    /// The clock that anchors may name.
    private enum Course {
        case followsSenders
        case keepsOwn
        case ignoresPTP
    }

    private let service: ClockService
    private let course: Course
    private let report: Report

    init(_ service: ClockService, _ manners: MannerSet, report: @escaping Report) {
        (self.service, self.report) = (service, report)
        course =
            manners.has(.keepsItsClock)
            ? .keepsOwn : manners.has(.neverProbes) ? .ignoresPTP : .followsSenders
    }

    var identity: ClockIdentity { service.identity }
    var hasSparePlaces: Bool { service.hasSparePlaces }

    func follow(_ address: IPAddress, localAddress: IPAddress?) {
        switch course {
        case .followsSenders: service.follow(address, localAddress: localAddress)
        case .keepsOwn:
            report(.keepsItsClock, "serves its clock")
            // Fails only with more peers than any test has.
            try? service.addPeer(address, localAddress: localAddress)
        case .ignoresPTP: report(.neverProbes, "ignores a clock")
        }
    }

    func unfollow(_ address: IPAddress) {
        switch course {
        case .followsSenders: service.unfollow(address)
        case .keepsOwn: service.removePeer(address)
        case .ignoresPTP: break
        }
    }

    func mapping(of identity: ClockIdentity) -> ClockMapping? {
        knows(identity) ? service.mapping(of: identity) : nil
    }

    func mapping(of identity: ClockIdentity, toldBy addresses: Set<IPAddress>) -> ClockMapping? {
        knows(identity) ? service.mapping(of: identity, toldBy: addresses) : nil
    }

    private func knows(_ identity: ClockIdentity) -> Bool {
        switch course {
        case .followsSenders: true
        case .keepsOwn: identity == service.identity
        case .ignoresPTP: false
        }
    }
}
