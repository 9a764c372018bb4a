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
        # Control the house from the shell

        These commands control the house that `tutti serve` plays in, on this machine or, with `--host`, on another
        one. This page is generated: `tutti reference > docs/shell.md`.

        ```sh
        tutti status                          # zones and rooms; --watch follows, --json is for programs
        tutti play --zone Kitchen song.flac   # without a file: continues playback
        tutti volume Kitchen +5
        tutti queue add "Kind of Blue" --next
        tutti room "Living Room" Kitchen      # the room joins the zone, while it plays
        tutti say doorbell.wav --rooms Hall   # over the music
        tutti alarm add 6:30 --days weekdays  # the queue continues then
        ```

        ## Which service

        Without `--host`, a command uses the service of this user. It connects to the socket `control.sock` in the
        folder of the service's state (`~/.local/state/tutti/house`, or the folder that `[service] database` of the
        configuration file names; `--config` names that file). Only the service's user and root can open the socket,
        so no token is needed. The system service that the package installs is reached in the same way
        (`sudo -u tutti tutti status`). If there is no such socket, the command uses the port of the web page on this
        machine, where the service of another user may trust local programs (`trust-this-machine`).

        While no service runs, any program may listen on that port. So a command sends no token there, and
        `tutti room password` does not use the port: name the service with `--host`, or run the command as its user.

        `--host` takes `NAME`, `NAME:PORT` or the path of a socket; the variable `TUTTI_HOST` sets it for all
        commands. A service on another machine must listen on the network (`[web] addresses`) and know this user: run
        `tutti serve --code` there as the service's user, and add `--code CODE` to one command here. Tutti then stores
        a token in `~/.local/state/tutti/tokens`, in a file that only this user may read. The token is sent
        unencrypted, like that of a browser: use a network that you trust.

        ## Which zone, and how names are typed

        The zone is the one that `--zone` names, else the one in the variable `TUTTI_ZONE`, else the only zone. If
        there are several zones, it is the only one that plays, else the only one that is paused, else the only one
        with entries. You can shorten a name as long as only one zone, room or entry begins with it; upper and lower
        case are the same. If a name fits several, or none, the error lists the choices.

        ## tutti play

        Without a file, `tutti play` continues playback in a zone. `tutti play --zone ZONE FILE...` plays files,
        folders and web addresses in a zone, and then continues its queue; files must be in the folders of the
        house's library. Without `--zone`, `tutti play FILE...` plays in the program itself, without a service
        (`tutti play --help`).

        ## Exit status

        0 success, 2 invalid command line or ambiguous name, 66 no such name, 69 no service answers, 76 the house
        refused, 77 the house does not know this user: [the full list](reference/exit-status.md).

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
