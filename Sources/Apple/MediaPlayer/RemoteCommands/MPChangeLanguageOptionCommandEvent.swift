import TuttiMediaTime

/// The scope of a language choice.
public enum MPChangeLanguageOptionSetting: Int, Sendable {
    /// No change.
    case none = 0
    /// The current item only.
    case nowPlayingItemOnly = 1
    /// All items from now on.
    case permanent = 2
}

/// An event that enables or disables a language option.
open class MPChangeLanguageOptionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// The option to enable or disable.
    public let languageOption: MPNowPlayingInfoLanguageOption
    /// The scope; always `nowPlayingItemOnly` in Tutti.
    public let setting: MPChangeLanguageOptionSetting

    init(_ command: MPRemoteCommand, _ option: MPNowPlayingInfoLanguageOption, at time: HostTime) {
        languageOption = option
        setting = .nowPlayingItemOnly
        super.init(command, at: time)
    }
}
