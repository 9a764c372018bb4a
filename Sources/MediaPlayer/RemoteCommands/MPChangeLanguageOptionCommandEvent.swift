import MediaTime

/// For how long a choice of a language is meant.
public enum MPChangeLanguageOptionSetting: Int, Sendable {
    /// No change.
    case none = 0
    /// For this item alone.
    case nowPlayingItemOnly = 1
    /// From now on.
    case permanent = 2
}

/// A language was chosen, or is to be left.
open class MPChangeLanguageOptionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// The option to switch on or off.
    public let languageOption: MPNowPlayingInfoLanguageOption
    /// For how long.
    public let setting: MPChangeLanguageOptionSetting

    init(_ command: MPRemoteCommand, _ option: MPNowPlayingInfoLanguageOption, at time: HostTime) {
        languageOption = option
        setting = .nowPlayingItemOnly
        super.init(command, at: time)
    }
}
