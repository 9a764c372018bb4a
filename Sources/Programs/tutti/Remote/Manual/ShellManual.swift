import TuttiCommandLineInterface

/// The page `docs/shell.md`, generated from the declarations of the commands.
enum ShellManual {
    /// The commands for the house, in the order of the page.
    static let commands: [any Command.Type] = [
        StatusCommand.self, PauseCommand.self, ToggleCommand.self, StopCommand.self,
        NextCommand.self, PreviousCommand.self, SeekCommand.self, VolumeCommand.self, QueueCommand.self,
        ZoneCommand.self, RoomCommand.self, SleepCommand.self, ShuffleCommand.self, RepeatCommand.self,
        SayCommand.self, AlarmCommand.self,
    ]

    /// The page's text.
    static var text: String {
        let sections = commands.map { section($0.declaration) }
        return ([introduction] + sections).joined(separator: "\n")
    }

    private static func section(_ declaration: CommandDeclaration) -> String {
        "## \(declaration.invocation)\n\n```text\n\(HelpText.of(declaration))```\n"
    }

    private static let introduction = """
        # The house from the shell

        These commands control the house that `tutti serve` plays in: on this machine, or on another one with
        `--host`. This page is generated: `tutti reference > docs/shell.md`.

        ```sh
        tutti status                          # zones and rooms; --watch follows, --json is for programs
        tutti play --zone Kitchen song.flac   # without a file: goes on playing
        tutti volume Kitchen +5
        tutti queue add "Kind of Blue" --next
        tutti room "Living Room" Kitchen      # the room joins the zone, while it plays
        tutti say doorbell.wav --rooms Hall   # over the music
        tutti alarm add 6:30 --days weekdays  # the queue continues then
        ```

        ## Which service

        Without `--host`, a command goes to the service of this user, by the socket `control.sock` in the folder of
        the service's state (`~/.local/state/tutti/house`; `[service] database` of the configuration file, which
        `--config` names). Only the service's user and root can open the socket, so no token is needed; they also
        reach the service of the machine that the package installs (`sudo -u tutti tutti status`). If no service is
        there, the command goes to the port of the web page on this machine, where a service of another user may
        trust local programs (`trust-this-machine`).

        Any program may listen at that port while no service runs. So a command sends no token there, and
        `tutti room password` does not use it: name the service with `--host`, or run the command as its user.

        `--host NAME`, `NAME:PORT` or the path of a socket names another service; the variable `TUTTI_HOST` does so
        for all commands. A service on another machine must listen there (`[web] addresses`) and know this user: run
        `tutti serve --code` there as its user, and add `--code CODE` to one command here. The token is then kept in
        `~/.local/state/tutti/tokens`, in a file that only this user may read. It travels unencrypted, like that of
        a browser: use a network that you trust.

        ## Which zone, and how names are typed

        `--zone`, else the variable `TUTTI_ZONE`, else the only zone; of several, the only one that plays, else the
        only one that is paused, else the only one with entries. Names may be shortened as long as one zone, room
        or entry begins so, and capitals do not matter. A name that fits several, or none, lists the choices.

        ## tutti play

        Without a file, `tutti play` goes on playing a zone. `tutti play --zone ZONE FILE...` plays files, folders
        and web addresses in a zone, after which its queue goes on; files must be in the folders of the house's
        library. Without `--zone`, `tutti play FILE...` plays in the program itself, with no service
        (`tutti play --help`).

        ## Exit status

        0 done, 2 wrong command line or a name that is not clear, 66 no such name, 69 no service answers, 76 the house
        refused, 77 it does not know this user: [all of them](reference/exit-status.md).

        ## Completion

        ```sh
        source <(tutti completions bash)      # in ~/.bashrc
        source <(tutti completions zsh)       # in ~/.zshrc, after compinit
        tutti completions fish | source       # in ~/.config/fish/config.fish
        ```

        The shell then completes commands, options and files, and the names of zones, rooms and entries of the
        running service.

        """
}
