import TuttiHouse

/// The names of the house's commands: one each, for all surfaces, documents and tests.
package enum CommandName: String, CaseIterable, Sendable {
    case play, pause, toggle, stop, next, previous, seek, skip, setRate, setShuffle, setRepeat
    case sleep, sleepAtEndOfTrack, setZoneVolume, setLevelling, setCrossfade, setSleepFade
    case playInput
    case add, jump, remove, move, clear
    case makeZone, renameZone, removeZone, moveRoom, transfer
    case setRoomVolume, setRoomDelay, setRoomPassword, forgetRoom
    case setRoomEqualizer, setRoomMaximumVolume, setRoomNightMode
    case announce, cancelAnnouncement, setAlarm, removeAlarm

    /// The name of a command. A new command of the house does not compile without one.
    package init(_ command: HouseCommand) {
        self =
            switch command {
            case .play: .play
            case .pause: .pause
            case .toggle: .toggle
            case .stop: .stop
            case .next: .next
            case .previous: .previous
            case .seek: .seek
            case .skip: .skip
            case .setRate: .setRate
            case .setShuffle: .setShuffle
            case .setRepeat: .setRepeat
            case .sleep: .sleep
            case .sleepAtEndOfTrack: .sleepAtEndOfTrack
            case .setZoneVolume: .setZoneVolume
            case .setLevelling: .setLevelling
            case .setCrossfade: .setCrossfade
            case .setSleepFade: .setSleepFade
            case .playInput: .playInput
            case .add: .add
            case .jump: .jump
            case .remove: .remove
            case .move: .move
            case .clear: .clear
            case .makeZone: .makeZone
            case .renameZone: .renameZone
            case .removeZone: .removeZone
            case .moveRoom: .moveRoom
            case .transfer: .transfer
            case .setRoomVolume: .setRoomVolume
            case .setRoomDelay: .setRoomDelay
            case .setRoomPassword: .setRoomPassword
            case .forgetRoom: .forgetRoom
            case .setRoomEqualizer: .setRoomEqualizer
            case .setRoomMaximumVolume: .setRoomMaximumVolume
            case .setRoomNightMode: .setRoomNightMode
            case .announce: .announce
            case .cancelAnnouncement: .cancelAnnouncement
            case .setAlarm: .setAlarm
            case .removeAlarm: .removeAlarm
            }
    }
}
