"""Playback from the page: buttons, keys, the seek bar, the sleep timer, the volume."""

from stage import Held, expect, test, wait_for, wait_until_drawn


@test("the play button pauses and plays, and shows it at once")
def play_and_pause(stage):
    stage.fill(plays=True)
    page = stage.open()
    button = page.locator("#playing .play")
    wait_for(lambda: button.get_attribute("aria-label") == "Pause", "the page does not show that the zone plays")
    held = Held(page, "**/pause")
    button.click()
    wait_for(lambda: button.get_attribute("aria-label") == "Play", "the button waits for the house")
    held.let_go()
    wait_for(lambda: stage.state() == "paused", "the zone does not pause")
    page.locator("body").press("Space")
    wait_for(lambda: stage.state() in ("playing", "waiting"), "the space bar does not play")


@test("next, previous and the keys n and p change the track")
def next_and_previous(stage):
    titles = stage.fill(plays=True)
    page = stage.open()
    heading = page.locator("#playing-heading")
    page.get_by_role("button", name="Next", exact=True).first.click()
    wait_for(lambda: heading.text_content() == titles[1], "the second track is not shown")
    page.locator("body").press("n")
    wait_for(lambda: heading.text_content() == titles[2], "the key n does not go on")
    page.locator("body").press("p")
    wait_for(lambda: heading.text_content() == titles[1], "the key p does not go back")


@test("a drag on the seek bar seeks to the place of the pointer")
def seek_by_mouse(stage):
    stage.fill(plays=True)
    page = stage.open()
    duration = stage.api.zone(stage.zone)["current"]["track"]["duration"]
    edge = page.locator(".seek").bounding_box()
    y = edge["y"] + edge["height"] / 2
    page.mouse.move(edge["x"] + 10, y)
    page.mouse.down()
    page.mouse.move(edge["x"] + edge["width"] * 0.3, y, steps=4)
    page.mouse.move(edge["x"] + edge["width"] * 0.5, y, steps=4)
    page.mouse.up()
    wait_for(lambda: abs(stage.api.zone(stage.zone)["position"] - duration / 2) < 4, "the position is not the middle of the track")


@test("arrows, Home and End move the seek bar")
def seek_by_keys(stage):
    stage.fill(plays=True)
    page = stage.open()
    stage.api.post(f"/zones/{stage.zone}/pause")
    stage.api.put(f"/zones/{stage.zone}/position", {"seconds": 20})
    slider = page.locator(".seek")
    wait_for(lambda: slider.get_attribute("aria-valuenow") == "20", "the slider does not tell the position")
    slider.press("ArrowRight")
    wait_for(lambda: abs(stage.api.zone(stage.zone)["position"] - 25) < 1, "an arrow does not go five seconds on")
    slider.press("PageUp")
    wait_for(lambda: abs(stage.api.zone(stage.zone)["position"] - 55) < 1, "Page Up does not go thirty seconds on")
    slider.press("Home")
    wait_for(lambda: stage.api.zone(stage.zone)["position"] < 1, "Home does not go to the beginning")
    expect("second" in slider.get_attribute("aria-valuetext"), "the value is not told in words")


@test("the seek bar moves while the zone plays, and stands while it is paused")
def bar_follows_time(stage):
    stage.fill(plays=True)
    page = stage.open()

    def head():
        return float(page.evaluate("document.querySelector('.seek-area').style.getPropertyValue('--head')").rstrip("%") or 0)

    first = head()
    wait_for(lambda: head() > first, "the bar does not move")
    page.locator("#playing .play").click()
    wait_for(lambda: stage.state() == "paused", "the zone does not pause")
    # The house tells the place where it stands.
    stage.wait_until_heard(page)
    wait_until_drawn(page)
    page.wait_for_timeout(300)
    still = head()
    page.wait_for_timeout(700)
    expect(head() == still, "the bar moves while the zone is paused")


@test("a lane for each room shows how far its buffer reaches beyond the playhead")
def lanes(stage):
    stage.fill(plays=True)
    page = stage.open()
    wait_for(lambda: page.locator(".lane").count() == 1, "there is no lane for the room")
    fill = page.locator(".lane-fill")
    wait_for(lambda: fill.evaluate("e => e.getBoundingClientRect().width") > 4, "the lane stays empty", 15)
    thumb = page.locator(".seek-thumb").evaluate("e => e.getBoundingClientRect().left + e.offsetWidth / 2")
    left = fill.evaluate("e => e.getBoundingClientRect().left")
    expect(abs(thumb - left) < 3, f"the lane begins at {left:.0f}, the playhead is at {thumb:.0f}")


@test("shuffle, repeat, speed and the sleep timer are set, and shown")
def modes(stage):
    stage.fill(plays=True)
    page = stage.open()
    page.get_by_role("button", name="Shuffle").click()
    page.get_by_role("button", name="Repeat is off").click()
    page.get_by_role("button", name="Speed: 1").click()
    page.get_by_role("menuitemradio", name="1.25 ×").click()
    page.get_by_role("button", name="Sleep timer").click()
    page.get_by_role("menuitem", name="In 30 minutes").click()

    def is_set():
        zone = stage.api.zone(stage.zone)
        return zone["shuffle"] and zone["repeatMode"] == "all" and zone["rate"] == 1.25 and "at" in zone.get("sleep", {})

    wait_for(is_set, "not everything was set")
    label = page.get_by_role("button", name="Sleep timer")
    wait_for(lambda: "29:" in label.get_attribute("aria-label"), "the time left is not shown")
    label.click()
    page.get_by_role("menuitem", name="Turn the timer off").click()
    wait_for(lambda: "sleep" not in stage.api.zone(stage.zone), "the timer is not turned off")


@test("the volume of the zone and of a room follow their sliders, and the keys")
def volume(stage):
    stage.fill(plays=True)
    room = stage.api.zone(stage.zone)["rooms"][0]
    page = stage.open()
    slider = page.get_by_role("slider", name="Volume of the zone")
    slider.fill("42")
    wait_for(lambda: round(stage.api.zone(stage.zone).get("volume", -1)) == 42, "the zone's volume is not 42")
    name = stage.api.room(room)["name"]
    page.get_by_role("slider", name=f"Volume of {name}", exact=True).fill("31")
    wait_for(lambda: round(stage.api.room(room).get("volume", -1)) == 31, "the room's volume is not 31")
    wait_for(lambda: slider.input_value() == "31", "the zone's slider does not follow its only room")
    page.locator("#playing-heading").click()
    page.locator("body").press("ArrowUp")
    wait_for(lambda: round(stage.api.zone(stage.zone).get("volume", -1)) == 35, "an arrow does not raise the volume")


@test("a zone that waits says why", needs_mock=True)
def waiting(stage):
    stage.fill(plays=True)
    page = stage.open()
    reason = "Kitchen did not answer the clock. Is a firewall in the way?"
    stage.api.send("PATCH", f"/mock/zones/{stage.zone}", {"state": "waiting", "trouble": {"code": "clock", "message": reason}})
    wait_for(lambda: page.locator("#playing .state").text_content() == reason, "the reason is not shown")


@test("radio shows what the station announces, and no seek bar")
def radio(stage):
    station = stage.api.post("/library/stations", {"name": "Test Radio", "address": "http://127.0.0.1:9/stream"})["station"]
    try:
        stage.api.post(f"/zones/{stage.zone}/queue", {"items": [{"station": station}], "place": "end"})
        page = stage.open()
        wait_for(lambda: page.locator("#playing-heading").text_content() == "Test Radio", "the station is not shown")
        expect(not page.locator(".seek").is_visible(), "there is a seek bar")
        wait_for(lambda: page.locator("#playing .album").text_content() == "Live radio", "the page does not say that it is radio")
    finally:
        stage.api.delete(f"/library/stations/{station}")
