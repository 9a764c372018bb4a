import AirPlayMessages
import AirPlayReceiver
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// The manners of one speaker, for each of the parts that it is made of.
package struct SpeakerManners: Sendable {
    private let family: Family
    private let sound = SoundState()
    private let oldPairing: OldPairing?
    private let machine: any Machine
    private let report: Report

    /// - Parameters:
    ///   - showPIN: Shows the PIN of a device that pairs as Apple TVs before HomeKit do.
    ///   - report: Called each time that a manner is met.
    /// - Throws: If the keys of such a device cannot be made.
    package init(
        of family: Family, on machine: any Machine, showPIN: @escaping @Sendable (String) -> Void = { _ in },
        report: @escaping Report
    ) throws {
        (self.family, self.machine, self.report) = (family, machine, report)
        oldPairing =
            family.manners.has(.wantsOldPIN) ? try OldPairing(on: machine, showPIN: showPIN) : nil
    }

    /// Whether strangers must pair with a PIN.
    package var wantsPIN: Bool { family.manners.has(.wantsPIN) }

    /// Describes a speaker as the device, and gives its connections the manners.
    package func apply(to configuration: inout SpeakerConfiguration, _ advertisement: FamilyAdvertisement) {
        configuration.describe(family, txt: advertisement.airPlayData)
        configuration.requiresPIN = wantsPIN
        let (manners, sound, oldPairing, report) = (family.manners, sound, oldPairing, report)
        configuration.makeManners = {
            SessionManners(manners, sound: sound, oldPairing: oldPairing?.connection(), report: report)
        }
    }

    /// Returns the clock by which the device plays.
    package func clock(_ service: ClockService) -> any SpeakerClock {
        MannerlyClock(service, family.manners, report: report)
    }

    /// Returns the sink of one of the device's streams, in front of that of our speaker.
    package func sink(_ inner: any StreamSink, for stream: StreamDescription) -> any StreamSink {
        MannerlySink(inner, stream, family.manners, sound: sound, machine: machine, report: report)
    }
}

extension SpeakerConfiguration {
    /// Takes over the description of a device.
    fileprivate mutating func describe(_ family: Family, txt: [UInt8]) {
        model = family.model
        manufacturer = family.manufacturer
        features = family.features
        sourceVersion = family.sourceVersion
        txtRecords = { (airPlay: txt, raop: []) }
        statusFlags = { isInUse in isInUse ? family.flags.union(.sessionActive) : family.flags }
    }
}
