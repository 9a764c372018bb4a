"""Presses: what the user sees is what is done, whatever the house tells meanwhile, and no press is lost."""

from queue_tests import moved, remove_elsewhere, without
from rooms_tests import card, room
from stage import Held, ZONE_NAME, expect, row, shown_titles, test, wait_for, wait_until_drawn

# A test may take its time between two steps: times of the page of a second and above are thirty times as long.
PATIENT = "const wait = window.setTimeout; window.setTimeout = (run, ms, ...rest) => wait(run, ms >= 1000 ? ms * 30 : ms, ...rest);"
# Lets a test keep the page from drawing.
HELD_FRAMES = """
    const frame = window.requestAnimationFrame.bind(window);
    const kept = [];
    window.holdsFrames = false;
    window.requestAnimationFrame = (run) => (window.holdsFrames ? kept.push(run) : frame(run));
    window.drawAgain = () => { window.holdsFrames = false; for (const run of kept.splice(0)) frame(run); };
"""


def press(page, element):
    """Puts the mouse's button down on an element."""
    element.hover()
    page.mouse.down()


def is_command(request):
    return request.method == "POST" and "/zones/" in request.url


def follow(stage, page):
    stage.wait_until_heard(page)
    wait_until_drawn(page)


def card_button(page, stage, action):
    return card(page, stage.zone).get_by_role("button", name=f"{action} {ZONE_NAME}", exact=True)


@test("a button that another user changes under the pointer does what it showed", needs_mock=True)
def changed_under_pointer(stage):
    stage.fill(2, plays=True)
    page = stage.open("#/rooms", scripts=(PATIENT,))
    for shown, act in (("Pause", "pause"), ("Play", "play")):
        press(page, card_button(page, stage, shown))
        stage.api.post(f"/zones/{stage.zone}/{act}")
        follow(stage, page)
        with page.expect_request(is_command) as sent:
            page.mouse.up()
        expect(sent.value.url.endswith("/" + act), f"the page sent {sent.value.url}")
    card_button(page, stage, "Pause").wait_for()
    card_button(page, stage, "Pause").focus()
    page.keyboard.down("Space")
    stage.api.post(f"/zones/{stage.zone}/pause")
    follow(stage, page)
    with page.expect_request(is_command) as sent:
        page.keyboard.up("Space")
    expect(sent.value.url.endswith("/pause"), f"the page sent {sent.value.url}")
    card_button(page, stage, "Play").wait_for()


@test("a press between an event and its drawing does what is shown", needs_mock=True)
def changed_before_drawing(stage):
    stage.fill(2, plays=True)
    page = stage.open("#/rooms", scripts=(PATIENT, HELD_FRAMES))
    button = card_button(page, stage, "Pause")
    button.wait_for()
    page.evaluate("holdsFrames = true")
    stage.api.post(f"/zones/{stage.zone}/pause")
    stage.wait_until_heard(page)
    for act in (button.click, lambda: page.locator("body").press("Space")):
        with page.expect_request(is_command) as sent:
            act()
        expect(sent.value.url.endswith("/pause"), f"the page sent {sent.value.url}")
    page.evaluate("drawAgain()")
    card_button(page, stage, "Play").wait_for()


@test("presses reach the house in their order", needs_mock=True)
def order(stage):
    stage.fill(2, plays=True)
    page = stage.open(scripts=(PATIENT,))
    held = Held(page, "**/pause")
    button = page.locator("#playing .play")
    button.click()
    wait_for(lambda: button.get_attribute("aria-label") == "Play", "the button does not change")
    button.click()
    wait_for(lambda: button.get_attribute("aria-label") == "Pause", "the button does not change back")
    held.wait_for(1)
    expect(not [url for url in stage.requests if url.endswith("/play")], "the second command overtakes the first")
    with page.expect_response("**/play"):
        held.let_go()
    expect(stage.state() == "playing", "the house does what was pressed first")
    follow(stage, page)
    expect(button.get_attribute("aria-label") == "Pause", "the button shows something else")


@test("a press without an answer yet is shown over a new connection", needs_mock=True)
def new_connection(stage):
    stage.fill(2, plays=True)
    page = stage.open(scripts=(PATIENT,))
    held = Held(page, "**/pause")
    button = page.locator("#playing .play")
    button.click()
    held.wait_for(1)
    before = page.evaluate("houses")
    stage.restart(0)
    wait_for(lambda: page.evaluate("houses") > before, "the page does not connect again")
    wait_until_drawn(page)
    expect(button.get_attribute("aria-label") == "Play", "the press is taken back")
    held.let_go()
    wait_for(lambda: stage.state() == "paused", "the zone does not pause")
    stage.allow_errors()


@test("a press in the queue means the entry that was shown", needs_mock=True)
def entry_under_pointer(stage):
    titles = stage.fill()
    page = stage.open("#/queue", scripts=(PATIENT,))
    # The button is there only while the pointer is over its row.
    row(page, titles[3]).hover()
    press(page, row(page, titles[3]).locator(".row-remove"))
    with page.expect_response(lambda answer: "/queue?" in answer.url):
        remove_elsewhere(stage, 0)
    follow(stage, page)
    page.mouse.up()
    wait_for(lambda: stage.titles() == without(titles, 0, 3), f"the house has {stage.titles()}")
    wait_for(lambda: shown_titles(page) == without(titles, 0, 3), "the page shows another list")


@test("an edit of the queue stays shown while the next one is under way", needs_mock=True)
def edits(stage):
    titles = stage.fill()
    page = stage.open("#/queue", scripts=(PATIENT,))
    row(page, titles[3]).locator(".row-main").focus()
    held = Held(page, "**/queue/move")
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+ArrowUp")
    held.wait_for(1)
    before = len(stage.requests)
    held.let_go()
    held.wait_for(2)
    follow(stage, page)
    expect(not [url for url in stage.requests[before:] if "/queue?" in url], "the page loads a list without the second move")
    expect(shown_titles(page) == moved(titles, 3, 1), "the second move is not shown any more")
    held.let_go(1)
    wait_for(lambda: stage.titles() == moved(titles, 3, 1), f"the house has {stage.titles()}")
    wait_for(lambda: shown_titles(page) == moved(titles, 3, 1), "the page shows another order")


@test("“Play next” right after a click on an entry means after this entry", needs_mock=True)
def next_after_jump(stage):
    titles = stage.fill(plays=True)
    page = stage.open("#/queue", scripts=(PATIENT,))
    held = Held(page, "**/queue/*/play")
    row(page, titles[3]).locator(".row-main").click()
    held.wait_for(1)
    row(page, titles[6]).locator(".row-more").click()
    page.get_by_role("menuitem", name="Play next").click()
    wait_for(lambda: shown_titles(page) == moved(titles, 6, 4), f"the page shows {shown_titles(page)}")
    expect(stage.titles() == titles, "the move overtakes the click before it")
    held.let_go()
    wait_for(lambda: stage.titles() == moved(titles, 6, 4), f"the house has {stage.titles()}")
    expect(stage.api.zone(stage.zone)["current"]["track"]["title"] == titles[3], "another entry plays")
    wait_for(lambda: shown_titles(page) == moved(titles, 6, 4), "the page shows another order")


@test("the switch of an alarm stays as it was pressed while the house takes its time", needs_mock=True)
def alarm_switch(stage):
    stage.api.post("/alarms", {"zone": stage.zone, "minute": 390})
    page = stage.open("#/alarms", scripts=(PATIENT,))
    switch = page.locator(".alarm").get_by_role("switch")
    held = Held(page, "**/alarms/*")
    switch.uncheck()
    held.wait_for(1)
    stage.api.put(f"/zones/{stage.zone}/shuffle", {"on": True})
    follow(stage, page)
    expect(not switch.is_checked(), "the switch is set back")
    held.let_go()
    wait_for(lambda: not stage.api.get("/alarms")["alarms"][0]["isOn"], "the alarm is still on")
    follow(stage, page)
    expect(not switch.is_checked(), "the switch is on again")


@test("a slider that is held does not follow another user, and does once it is released", needs_mock=True)
def held_slider(stage):
    name = stage.usable_rooms()[0]
    page = stage.open("#/rooms", scripts=(PATIENT,))
    item = room(page, name)
    item.locator(".room-head .icon-button").click()
    slider = item.locator(".delay-line input")
    slider.evaluate("e => { e.focus(); e.value = 120; e.dispatchEvent(new Event('input')); }")
    wait_for(lambda: stage.api.room(name)["delay"] == 120, "the delay is not 120 ms")
    stage.api.put(f"/rooms/{name}/delay", {"milliseconds": 50})
    follow(stage, page)
    expect(slider.input_value() == "120", "the slider moves away from the pointer")
    slider.evaluate("e => e.dispatchEvent(new Event('change'))")
    wait_for(lambda: slider.input_value() == "50", "the slider shows what is no longer so")


@test("a button of the library works though its page is filled anew under the pointer", needs_mock=True)
def library_filled_anew(stage):
    track = stage.tracks(1)[0]
    page = stage.open(f"#/library/albums/{track['albumID']}", scripts=(PATIENT,))
    press(page, page.locator("#library").get_by_role("button", name=f"More for {track['title']}", exact=True).first)
    with page.expect_response(lambda answer: f"/library/albums/{track['albumID']}" in answer.url):
        stage.api.post("/library/scan")
    wait_until_drawn(page)
    page.mouse.up()
    page.get_by_role("menuitem", name="Play next").wait_for()


@test("a selection of text that ends beside a dialog does not close it; a click there does", needs_mock=True)
def selection_in_dialog(stage):
    page = stage.open("#/rooms")
    page.get_by_role("button", name="New zone").click()
    field = page.get_by_label("Name", exact=True)
    field.fill("Web garden")
    box = field.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(5, 5, steps=4)
    page.mouse.up()
    expect(field.is_visible() and field.input_value() == "Web garden", "the dialog is gone")
    page.mouse.click(5, 5)
    wait_for(lambda: page.get_by_role("dialog").count() == 0, "a click beside the dialog does not close it")
