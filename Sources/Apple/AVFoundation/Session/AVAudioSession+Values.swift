import Foundation

extension AVAudioSession {
    /// A kind of sound that a program makes.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// The stored name.
        public let rawValue: String
        /// The category of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Non-essential sound that mixes with other programs' sound.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Non-essential sound that replaces other programs' sound; the initial category.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Playback is central to the program.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Recording only.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Recording and playing.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Several streams on several outputs.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// A use of a category.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// The stored name.
        public let rawValue: String
        /// The mode of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No special use.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// Voice over IP.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// Voices in a game.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// Recording a film.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// Minimal signal processing.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        /// A film.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// A video call.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Speech that pauses when interrupted and resumes there: podcasts, audio books.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Spoken directions.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
    }

    /// Whether a program's long-form sound uses a shared route of its own.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// Network speakers buffer seconds, like a local device.
        case `default` = 0
        /// Music and speech: network speakers buffer minutes, and the user's long-form programs share the
        /// route.
        case longFormAudio = 1
        /// Set only by the system on Apple's platforms.
        case independent = 2
        /// Films; for sound the same as ``longFormAudio``.
        case longFormVideo = 3

        /// The former name of ``longFormAudio``.
        @available(*, deprecated, renamed: "longFormAudio")
        public static var longForm: RouteSharingPolicy { .longFormAudio }

        var isLongForm: Bool { self == .longFormAudio || self == .longFormVideo }
    }

    /// A category's behaviour towards other programs' sound. Stored without effect: Tutti does not know other
    /// programs' sound.
    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// Creates options from bits; preserves unknown bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Other programs' sound continues.
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        /// Ducks other programs' sound.
        public static let duckOthers = CategoryOptions(rawValue: 2)
        /// Allows Bluetooth hands-free devices.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 4)
        /// The former name of ``allowBluetoothHFP``.
        @available(*, deprecated, renamed: "allowBluetoothHFP")
        public static var allowBluetooth: CategoryOptions { allowBluetoothHFP }
        /// Prefers the speaker to the earpiece.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        /// Interrupts other programs' speech and mixes with their other sound.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
        /// Allows Bluetooth speakers.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
        /// Allows network speakers.
        public static let allowAirPlay = CategoryOptions(rawValue: 64)
        /// A muted microphone does not interrupt.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 128)
    }

    /// Options of ``AVAudioSession/setActive(_:options:)``.
    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// Creates options from bits; preserves unknown bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Notifies interrupted programs that they may resume.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// Options of ``AVAudioSession/activate(options:completionHandler:)``.
    public struct ActivationOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// Creates options from bits; preserves unknown bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// The reason for a route change.
    public enum RouteChangeReason: UInt, Sendable {
        /// Unknown.
        case unknown = 0
        /// A new output appeared and was selected.
        case newDeviceAvailable = 1
        /// The selected output was lost; playback is paused.
        case oldDeviceUnavailable = 2
        /// The session's category or policy changed.
        case categoryChange = 3
        /// The user, or the program, chose another output.
        case override = 4
        /// The machine woke up.
        case wakeFromSleep = 6
        /// No output fits the category.
        case noSuitableRouteForCategory = 7
        /// The set of outputs of the same kind changed.
        case routeConfigurationChange = 8
    }

    /// Start or end of an interruption.
    public enum InterruptionType: UInt, Sendable {
        /// The interruption ended.
        case ended = 0
        /// Playback has stopped.
        case began = 1
    }

    /// Options of the end of an interruption.
    public struct InterruptionOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// Creates options from bits; preserves unknown bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The program may resume playback without asking the user.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    /// The reason for the start of an interruption.
    public enum InterruptionReason: UInt, Sendable {
        /// Another session took over.
        case `default` = 0
        /// The program was suspended.
        case appWasSuspended = 1
        /// The built-in microphone was muted.
        case builtInMicMuted = 2
        /// The route was disconnected.
        case routeDisconnected = 4
    }

    /// The route after ``AVAudioSession/prepareRouteSelectionForPlayback(completionHandler:)``.
    public enum RouteSelection: Int, Sendable {
        /// No output.
        case none = 0
        /// An output of this machine.
        case local = 1
        /// One or more network speakers.
        case external = 2
    }

    /// An override of the category's output.
    public enum PortOverride: UInt, Sendable {
        /// No override.
        case none = 0
        /// The built-in speaker.
        case speaker = 0x7370_6B72
    }

    /// Start or end of another program's sound that asks for silence.
    public enum SilenceSecondaryAudioHintType: UInt, Sendable {
        /// The other sound ended.
        case end = 0
        /// The other sound began.
        case begin = 1
    }

    /// A kind of input or output.
    public struct Port: RawRepresentable, Hashable, Sendable {
        /// The stored name.
        public let rawValue: String
        /// The port of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The machine's own speaker; also the type of a device whose kind is unknown.
        public static let builtInSpeaker = Port(rawValue: "Speaker")
        /// A telephone's earpiece.
        public static let builtInReceiver = Port(rawValue: "Receiver")
        /// Wired headphones.
        public static let headphones = Port(rawValue: "Headphones")
        /// An analog output.
        public static let lineOut = Port(rawValue: "LineOut")
        /// A network speaker.
        public static let airPlay = Port(rawValue: "AirPlay")
        /// Bluetooth, for music.
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
        /// Bluetooth, low energy.
        public static let bluetoothLE = Port(rawValue: "BluetoothLE")
        /// Bluetooth, hands-free.
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
        /// HDMI.
        public static let HDMI = Port(rawValue: "HDMIOutput")
        /// USB.
        public static let usbAudio = Port(rawValue: "USBAudio")
        /// A car.
        public static let carAudio = Port(rawValue: "CarAudio")
        /// DisplayPort.
        public static let displayPort = Port(rawValue: "DisplayPort")
        /// Audio video bridging.
        public static let AVB = Port(rawValue: "AVB")
        /// No hardware.
        public static let virtual = Port(rawValue: "Virtual")
        /// A PCI card.
        public static let PCI = Port(rawValue: "PCI")
        /// FireWire.
        public static let fireWire = Port(rawValue: "FireWire")
        /// Thunderbolt.
        public static let thunderbolt = Port(rawValue: "Thunderbolt")
        /// The machine's microphone.
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
        /// A headset's microphone.
        public static let headsetMic = Port(rawValue: "MicrophoneWired")
        /// An analog input.
        public static let lineIn = Port(rawValue: "LineIn")
        /// The microphone of another device of the user.
        public static let continuityMicrophone = Port(rawValue: "ContinuityMicrophone")
    }

    /// Codes of errors in `NSOSStatusErrorDomain` that a session throws.
    public enum ErrorCode: Int, Sendable {
        /// No error.
        case none = 0
        /// The audio server failed.
        case mediaServicesFailed = 1_836_282_486
        /// Something is still playing.
        case isBusy = 560_030_580
        /// The category does not allow the operation.
        case incompatibleCategory = 560_161_140
        /// The session cannot interrupt other sessions.
        case cannotInterruptOthers = 560_557_684
        /// The program lacks an entitlement.
        case missingEntitlement = 1_701_737_535
        /// Siri is recording.
        case siriIsRecording = 1_936_290_409
        /// The program cannot start playback now.
        case cannotStartPlaying = 561_015_905
        /// The program cannot start recording now.
        case cannotStartRecording = 561_145_187
        /// A parameter is invalid.
        case badParam = -50
        /// Sessions of higher priority are active.
        case insufficientPriority = 561_017_449
        /// The hardware lacks resources.
        case resourceNotAvailable = 561_145_203
        /// Unknown.
        case unspecified = 2_003_329_396
        /// The session has expired.
        case expiredSession = 561_210_739
        /// The session is not active.
        case sessionNotActive = 1_768_841_571
    }
}
