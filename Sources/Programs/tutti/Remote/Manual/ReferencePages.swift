import TuttiCommandLineInterface

/// The pages `docs/reference/options.md` and `docs/reference/exit-status.md`, generated from the declarations.
enum ReferencePages {
    static var options: String {
        """
        # Options of all commands

        This page is generated: `tutti reference options > docs/reference/options.md`. `tutti help COMMAND` has examples
        too, and so has each command's manual, such as `man tutti-play`.

        Every command takes these options, after its name or before it:

        \(OptionTables.common)

        \(OptionTables.sections(of: Tutti.commands.map { $0.declaration }))
        """
    }

    static var exitStatus: String {
        let rows = ExitStatus.meanings.map { "| \($0.status.rawValue) | \($0.text) |" }.joined(
            separator: "\n")
        return """
            # Exit status

            The numbers from 65 to 78 are those of `sysexits.h`, the same for every command. This page is generated:
            `tutti reference exit-status > docs/reference/exit-status.md`.

            | status | meaning |
            |---|---|
            \(rows)

            `tutti play` fails only if nothing is heard any more: a speaker that is lost while others play is a warning.
            A service manager should not start a program again after 2 and 78.

            """
    }
}
