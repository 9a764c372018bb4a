import AirPlayMessages

/// A row of the table of devices: the description by which senders know the device, and its manners.
package struct Family: Hashable, Sendable {
    /// The services that a device announces.
    package enum Services: Hashable, Sendable {
        case airPlay2
        case both
        case airPlay1
    }

    /// The name on the command line.
    package var name: String
    package var model: String
    package var manufacturer: String
    package var features: AirPlayFeatures
    package var flags = AirPlayStatusFlags.audioCableAttached
    package var sourceVersion = "366.0"
    package var services = Services.airPlay2
    /// Further entries of the TXT record, or others in place of ours.
    package var txt: [String: String] = [:]
    /// The port if it is an unusual one.
    package var port: UInt16?
    package var manners: MannerSet

    init(
        _ name: String, _ model: String, by manufacturer: String, features: (low: UInt64, high: UInt64),
        _ manners: [Manner]
    ) {
        (self.name, self.model, self.manufacturer) = (name, model, manufacturer)
        self.features = AirPlayFeatures(rawValue: features.high << 32 | features.low)
        self.manners = MannerSet(manners)
    }

    /// A device of no known family, which behaves like our own speaker: for single manners.
    package static let unknown = Family("unknown", "Unknown1,1", by: "Nobody", features: ordinary, [])

    /// Returns the family of a name, which may be that of ``unknown``; `nil` if there is none.
    package static func named(_ name: String) -> Family? { (all + [unknown]).first { $0.name == name } }

    /// Makes a family of words: the name of one, without which it is ``unknown``, and further manners as
    /// ``MannerSet/add(parsing:)`` reads them.
    package init(words: [String]) throws(UnknownWord) {
        self = words.compactMap(Family.named).first ?? .unknown
        for word in words where word != name {
            guard manners.add(parsing: word) else { throw UnknownWord(word: word) }
        }
    }

    /// Describes the device as another model, by which senders choose their adaptations.
    package mutating func rename(model: String, manufacturer: String = "") {
        (self.model, self.manufacturer) = (model, manufacturer)
        // The version tells a sender what it can play.
        if model == "ShairportSync" { txt["fv"] = "5.2.1" }
    }
}

/// A word that names neither a family nor a manner.
package struct UnknownWord: Error, Hashable {
    package var word: String
}

/// The table, with the values that owners of the devices have published. A device whose features nobody has recorded has
/// those of shairport-sync.
extension Family {
    private static let ordinary: (low: UInt64, high: UInt64) = (0x405C_4A00, 0x1_C340)
    private static let television: (low: UInt64, high: UInt64) = (0x7F_8AD0, 0x38B_CB46)
    private static let homePodMini: (low: UInt64, high: UInt64) = (0x4A7F_CA00, 0x3C35_4BD0)

    package static let all: [Family] = [
        sonos, wiim, jbl, edifier, bose, samsung, sony, appleTV, oldAppleTV, homePod, homePodAlone,
        airPortExpress, denon, roku, shairportSync4,
    ]

    package static let sonos = Family(
        "sonos", "Era 100", by: "Sonos", features: (0x445F_8A00, 0x1_C340),
        [
            .locksLate, .wantsMetadata, .withholdsRecord, .readsInBursts, .refusesNTP, .silentAt48000x24,
            .forgetsEarlyVolume,
        ])

    package static let wiim = Family(
        "wiim", "WiiM Pro", by: "Linkplay", features: ordinary, [.locksLate, .readsInBursts])

    package static let jbl = Family(
        "jbl", "JBL Authentics 500", by: "Harman", features: ordinary, [.refusesFirstAnchors])

    package static let edifier = Family(
        "edifier", "Edifier MS50A", by: "Edifier", features: ordinary, [.wantsQueue])

    package static let bose = Family("bose", "SoundTouch 20", by: "Bose", features: ordinary, [])

    package static let samsung = {
        var family = Family(
            "samsung", "HW-LS60D", by: "Samsung", features: television, [.wantsRecordFirst, .refusesNTP])
        family.port = 33_330
        return family
    }()

    package static let sony = Family("sony", "BRAVIA 4K", by: "Sony", features: television, [.neverProbes])

    package static let appleTV = {
        var family = Family(
            "apple-tv", "AppleTV5,3", by: "Apple", features: (0x5A7F_DFD5, 0x3C15_5FDE),
            [.wantsPIN, .wantsClientName, .wantsUserAgent, .neverStartsBuffered, .mustNotBeFlushed])
        family.flags = AirPlayStatusFlags(rawValue: 0x244)
        family.sourceVersion = "980.77.2"
        return family
    }()

    /// The third generation, whose system ended before HomeKit.
    package static let oldAppleTV = {
        var family = Family(
            "apple-tv-3", "AppleTV3,2", by: "Apple", features: (0x5A7F_FFF7, 0x1E), [.wantsOldPIN])
        family.flags = AirPlayStatusFlags(rawValue: 0x244)
        family.sourceVersion = "220.68"
        family.services = .both
        return family
    }()

    package static let homePod = {
        var family = Family(
            "homepod", "AudioAccessory5,1", by: "Apple", features: homePodMini,
            [.refusesEarlyVolume, .withholdsRecord, .wantsUserAgent, .neverStartsBuffered, .mustNotBeFlushed])
        family.flags = AirPlayStatusFlags(rawValue: 0x9_8404)
        family.sourceVersion = "980.77.2"
        family.txt = [
            "igl": "1", "osvers": "27.0", "pgid": "5B0E9C52-6A0A-4F0B-9D57-4F4F3A6F2C11", "pgcgl": "1",
        ]
        return family
    }()

    package static let homePodAlone = {
        var family = homePod
        family.name = "homepod-alone"
        family.txt = ["igl": "1", "osvers": "27.0"]
        family.manners.add(.keepsItsClock)
        return family
    }()

    package static let airPortExpress = {
        var family = Family(
            "airport-express", "AirPort10,115", by: "Apple", features: (0x445D_0A00, 0x1_C340), [])
        family.services = .both
        return family
    }()

    package static let denon = {
        var family = Family("denon", "NR1607", by: "Marantz", features: (0x444F_8A00, 0), [])
        family.sourceVersion = "190.9"
        family.services = .airPlay1
        return family
    }()

    /// Version 4 with nqptp; version 5 is what the other cases play to.
    package static let shairportSync4 = {
        var family = Family(
            "shairport-sync-4", "Shairport Sync", by: "Shairport Sync", features: ordinary,
            [.silentAtBufferedALAC, .mutesBeginnings, .refusesNTP])
        family.txt = ["fv": "4.3.7"]
        return family
    }()

    package static let roku = Family("roku", "3940X", by: "Roku", features: (0x7F_8AD0, 0x10B_CF46), [])
}
