import TuttiCommandLineInterface

/// The man pages of the program and its commands, generated from their declarations.
enum ManualPages {
    /// The texts by the names of their files, such as `tutti-play.1`.
    static var all: [String: String] {
        let declarations = Tutti.commands.map { $0.declaration }
        var pages = ["tutti.1": program(declarations)]
        for declaration in declarations where !declaration.isHidden {
            pages[CommandManual.pageName(declaration) + ".1"] = CommandManual.page(
                of: declaration,
                seeAlso: ["tutti(1)"]
                    + (["serve", "config"].contains(declaration.name) ? ["tutti.conf(5)"] : []))
        }
        return pages
    }

    private static func program(_ declarations: [CommandDeclaration]) -> String {
        CommandManual.page(
            ofProgram: "tutti", summary: WelcomeCommand.summary, commands: declarations,
            examples: WelcomeCommand.examples, closing: [closing, exitStatus], seeAlso: ["tutti.conf(5)"])
    }

    private static let closing = #"""
        .Sh ENVIRONMENT
        .Bl -tag -width indent
        .It Ev TUTTI_HOST
        The service that the commands of the house talk to, as
        .Fl \-host .
        .It Ev TUTTI_ZONE
        The zone of commands without
        .Fl \-zone .
        .It Ev TUTTI_OUTPUT
        The output of this machine that
        .Xr tutti\-play 1
        uses without
        .Fl \-output ,
        as
        .Xr tutti\-outputs 1
        lists it.
        .It Ev TUTTI_WEB_PORT No and so on
        Keys of
        .Pa tutti.toml ,
        all of which
        .Xr tutti.conf 5
        names with their variables.
        .It Ev TUTTI_RUNTIME_DIR
        The folder through which programs share the clock, in place of the usual ones.
        .It Ev TUTTI_MPRIS
        With the value
        .Cm off ,
        .Xr tutti\-play 1
        is no media player of the desktop.
        .It Ev TUTTI_VAAPI
        The graphics device that decodes the pictures of films, as
        .Pa /dev/dri/renderD129 ;
        .Cm 0
        leaves them to the processor.
        .It Ev NO_COLOR
        Without a value of
        .Fl \-color ,
        text has no colours if this is set.
        .It Ev SSL_CERT_FILE
        The certificates that web servers are checked against.
        .It Ev XDG_CONFIG_HOME , XDG_DATA_HOME , XDG_STATE_HOME
        The folders in place of
        .Pa ~/.config ,
        .Pa ~/.local/share
        and
        .Pa ~/.local/state .
        .El
        .Sh FILES
        .Bl -tag -width indent
        .It Pa ~/.config/tutti/speakers.json
        Settings that a speaker always has.
        .It Pa ~/.config/tutti/tutti.toml
        Settings of
        .Xr tutti\-serve 1 ;
        without this file, those of
        .Pa /etc/tutti/tutti.toml .
        See
        .Xr tutti.conf 5 .
        .It Pa ~/.local/share/tutti/pairings.json
        The pairings with speakers, readable by this user alone.
        .It Pa ~/.local/state/tutti
        The identities of speakers that ran here, tokens and the house's state,
        readable by this user alone.
        .It Pa /run/tutti , $XDG_RUNTIME_DIR/tutti
        The folders through which programs share the clock's ports.
        .El
        """#

    private static var exitStatus: String {
        let items = ExitStatus.meanings.map {
            ".It \($0.status.rawValue)\n\(ManualText.sentences($0.text + "."))"
        }
        return ([".Sh EXIT STATUS", ".Bl -tag -width indent"] + items + [".El"]).joined(separator: "\n")
    }
}
