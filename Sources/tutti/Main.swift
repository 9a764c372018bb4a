@main
struct Tutti {
    static func main() {}
}
