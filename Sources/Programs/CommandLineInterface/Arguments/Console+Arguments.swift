extension Console.Settings {
    /// The settings of options that a command line has.
    init(_ arguments: ParsedArguments) {
        self.init()
        color = arguments.value("color").flatMap(Console.Color.init) ?? .auto
        isQuiet = arguments.flag("quiet")
    }
}
