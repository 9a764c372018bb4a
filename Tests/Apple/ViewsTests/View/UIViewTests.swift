import Testing
import TuttiViews

@MainActor
@Suite("The view hierarchy")
struct UIViewTests {
    @Test("frame and bounds stay consistent")
    func frame() {
        let view = UIView(frame: CGRect(x: 10, y: 20, width: 30, height: 40))
        #expect(view.bounds == CGRect(x: 0, y: 0, width: 30, height: 40))
        #expect(view.center == CGPoint(x: 25, y: 40))
        view.bounds.size = CGSize(width: 10, height: 10)
        #expect(view.frame == CGRect(x: 20, y: 35, width: 10, height: 10))
        view.frame = CGRect(x: 0, y: 0, width: 4, height: 6)
        #expect(view.bounds.size == CGSize(width: 4, height: 6))
        #expect(UIView().frame == .zero)
    }

    @Test("views move between superviews, and the last one is in front")
    func tree() {
        let (first, second, child, other) = (UIView(), UIView(), UIView(), UIView())
        first.addSubview(child)
        first.addSubview(other)
        #expect(first.subviews == [child, other] && child.superview === first)
        first.addSubview(child)
        #expect(first.subviews == [other, child])
        second.insertSubview(child, at: 99)
        #expect(first.subviews == [other] && second.subviews == [child])
        first.addSubview(second)
        #expect(child.isDescendant(of: first) && child.isDescendant(of: child))
        #expect(!first.isDescendant(of: child))
        child.removeFromSuperview()
        child.removeFromSuperview()
        #expect(second.subviews.isEmpty && child.superview == nil)
    }

    @Test("a view does not retain its superview")
    func lifetime() {
        let child = UIView()
        do {
            let parent = UIView()
            parent.addSubview(child)
        }
        #expect(child.superview == nil)
    }

    @Test("the tint color is inherited unless the view has its own")
    func tint() {
        let (parent, child) = (UIView(), UIView())
        parent.addSubview(child)
        #expect(child.tintColor == .systemBlue)
        parent.tintColor = .red
        #expect(child.tintColor == .red)
        child.tintColor = .green
        #expect(child.tintColor == .green && parent.tintColor == .red)
        child.tintColor = nil
        #expect(child.tintColor == .red)
    }

    @Test("opacity is clamped", arguments: [(0.5, 0.5), (-1, 0), (7, 1), (.nan, 1)])
    func alpha(value: Double, expected: Double) {
        let view = UIView()
        view.alpha = value
        #expect(Double(view.alpha) == expected)
    }

    @Test("colors are equal by their components")
    func colors() {
        let color = UIColor(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4)
        var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
        #expect(color.getRed(&red, green: &green, blue: &blue, alpha: &alpha))
        #expect((red, green, blue, alpha) == (0.1, 0.2, 0.3, 0.4))
        #expect(color == UIColor(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4))
        #expect(color != color.withAlphaComponent(1))
        #expect(Set([UIColor.red, .red, .blue]).count == 2)
        #expect(UIColor.white == UIColor(red: 1, green: 1, blue: 1, alpha: 1))
    }
}

@MainActor
@Suite("Controls")
struct UIControlTests {
    @Test("actions run on their events, until they are removed")
    func actions() {
        let button = UIButton()
        var heard: [String] = []
        let press = UIAction(title: "press") { heard.append("\($0.title) \($0.sender === button)") }
        button.addAction(press, for: [.touchUpInside, .valueChanged])
        button.addAction(press, for: .touchUpInside)
        button.sendActions(for: .touchUpInside)
        button.sendActions(for: .touchDown)
        button.sendActions(for: .allEvents)
        button.removeAction(press, for: .touchUpInside)
        button.sendActions(for: .touchUpInside)
        // One call for its single event, and one for each of both.
        #expect(heard == ["press true", "press true", "press true"])
        #expect(press.sender == nil)
    }

    @Test("a slider stays inside its limits")
    func slider() {
        let slider = UISlider()
        slider.value = 3
        #expect(slider.value == 1)
        slider.maximumValue = 10
        slider.setValue(7, animated: true)
        slider.minimumValue = 8
        #expect(slider.value == 8)
        slider.maximumValue = 2
        #expect(slider.minimumValue == 2 && slider.value == 2)
        slider.value = .nan
        #expect(slider.value == 2)
    }

    @Test("the state of a control combines its flags")
    func state() {
        let button = UIButton()
        #expect(button.state == .normal)
        button.isEnabled = false
        button.isHighlighted = true
        #expect(button.state == [.disabled, .highlighted])
        button.setTitle("a", for: .normal)
        #expect(button.title(for: .selected) == "a")
    }
}
