"""Rooms and zones: joining, leaving, making, renaming, removing, moving playback."""

from stage import Held, expect, test, wait_for


def card(page, zone):
    return page.locator(f'.zone-card[data-zone="{zone}"]')


def room(page, name):
    return page.locator(f'.room[data-room="{name}"]')


@test("a tap lets a room join the zone while it plays; another tap lets it leave")
def join_and_leave(stage):
    first, second = stage.usable_rooms(2)
    stage.fill(plays=True)
    page = stage.open("#/rooms")
    button = room(page, second).locator(".room-join")
    held = Held(page, "**/rooms/*/zone")
    button.click()
    wait_for(lambda: button.get_attribute("aria-pressed") == "true", "the page waits for the house to show it")
    held.let_go()
    wait_for(lambda: stage.api.room(second).get("zone") == stage.zone, "the room does not belong to the zone")
    wait_for(lambda: room(card(page, stage.zone), second).count() == 1, "the room is not shown in the zone")
    expect(stage.state() == "playing", "the music stopped")
    button.click()
    held.let_go(1)
    wait_for(lambda: stage.api.room(second).get("zone") is None, "the room still belongs to the zone")
    wait_for(lambda: room(page.locator(".free"), second).count() == 1, "the room is not shown as free")


@test("a zone is made, renamed and removed")
def make_rename_remove(stage):
    page = stage.open("#/rooms")
    page.get_by_role("button", name="New zone").click()
    page.get_by_label("Name", exact=True).fill("Web garden")
    page.get_by_role("button", name="Make zone").click()

    def named(name):
        return [zone for zone in stage.api.get("/house")["zones"] if zone["name"] == name]

    made = wait_for(lambda: named("Web garden"), "the zone was not made")[0]["id"]
    try:
        wait_for(lambda: page.locator("#zone-button .zone-name").text_content() == "Web garden", "the page does not control the new zone")
        page.get_by_role("button", name="More for Web garden").click()
        page.get_by_role("menuitem", name="Rename…").click()
        page.get_by_label("Name", exact=True).fill("Web terrace")
        page.get_by_role("button", name="Rename", exact=True).click()
        wait_for(lambda: named("Web terrace"), "the zone was not renamed")
        page.get_by_role("button", name="More for Web terrace").click()
        page.get_by_role("menuitem", name="Remove the zone").click()
        page.get_by_role("button", name="Remove", exact=True).click()
        wait_for(lambda: not named("Web terrace"), "the zone was not removed")
        wait_for(lambda: card(page, made).count() == 0, "the page still shows the zone")
    finally:
        if named("Web garden") or named("Web terrace"):
            stage.api.delete(f"/zones/{made}")


@test("playback moves to another zone, and the page follows it")
def transfer(stage):
    titles = stage.fill(4, plays=True)
    other = stage.api.post("/zones", {"name": "Web attic", "rooms": []})["zone"]
    try:
        page = stage.open("#/rooms")
        page.get_by_role("button", name="More for Web test").click()
        page.get_by_role("menuitem", name="Move playback to Web attic").click()
        wait_for(lambda: stage.api.titles(other) == titles, "the queue did not move")
        wait_for(lambda: page.locator("#zone-button .zone-name").text_content() == "Web attic", "the page does not follow")
    finally:
        stage.api.delete(f"/zones/{other}")


@test("the zone switcher changes what the page controls, and a reload keeps it")
def switch(stage):
    stage.fill(2)
    other = stage.api.post("/zones", {"name": "Web cellar", "rooms": []})["zone"]
    try:
        page = stage.open()
        page.locator("#zone-button").click()
        page.get_by_role("menuitemradio", name="Web cellar").click()
        wait_for(lambda: page.locator("#playing-heading").text_content() == "Nothing to play", "the other zone is not shown")
        page.reload()
        wait_for(lambda: page.locator("#zone-button .zone-name").text_content() == "Web cellar", "the reload forgot the zone")
    finally:
        stage.api.delete(f"/zones/{other}")


@test("a room's delay is set in milliseconds")
def delay(stage):
    name = stage.usable_rooms()[0]
    before = stage.api.room(name)["delay"]
    stage.join(name)
    page = stage.open("#/rooms")
    item = room(page, name)
    try:
        item.locator(".room-head .icon-button").click()
        item.locator(".delay-line input").fill("120")
        wait_for(lambda: stage.api.room(name)["delay"] == 120, "the delay is not 120 ms")
        wait_for(lambda: item.locator(".delay-line .percent").text_content() == "120 ms", "the page does not show it")
    finally:
        stage.api.put(f"/rooms/{name}/delay", {"milliseconds": before})


@test("a room that is silent shows the doctor's sentence", needs_mock=True)
def trouble(stage):
    page = stage.open("#/rooms")
    wait_for(lambda: "Is its power on?" in room(page, "bath").locator(".trouble").text_content(), "there is no sentence")


@test("a room that could hold more says why it does not", needs_mock=True)
def fallback(stage):
    page = stage.open("#/rooms")
    reason = "buffered sound needs PTP; UDP 319 is taken by ptp4l (pid 7)"
    session = {"stream": "realtime", "reason": reason, "isFallback": True}
    stage.api.send("PATCH", "/mock/rooms/kitchen", {"session": session})
    note = room(page, "kitchen").locator(".trouble")
    wait_for(lambda: reason in note.text_content() and note.is_visible(), "there is no sentence")
    stage.api.send("PATCH", "/mock/rooms/kitchen", {"session": {**session, "stream": "buffered", "isFallback": False}})
    wait_for(lambda: not note.is_visible(), "the sentence stays")


@test("a room that wants a password asks for it before it joins", needs_mock=True)
def password(stage):
    page = stage.open("#/rooms")
    room(page, "bedroom").locator(".room-join").click()
    page.get_by_label("Password or PIN").fill("4711")
    page.get_by_role("button", name="Send").click()
    wait_for(lambda: stage.api.room("bedroom").get("zone") == stage.zone, "the room did not join")
    expect(not stage.api.room("bedroom")["needsPassword"], "the password was not sent")


@test("the depth of a room's buffer is shown in seconds and as a battery")
def depth(stage):
    stage.fill(plays=True)
    name = stage.api.zone(stage.zone)["rooms"][0]
    page = stage.open("#/rooms")
    text = room(page, name).locator(".battery-text")
    wait_for(lambda: text.text_content().rstrip(" s").isdigit() and int(text.text_content().rstrip(" s")) > 0, "no seconds are shown", 15)
    width = room(page, name).locator(".battery-fill").evaluate("e => e.getBoundingClientRect().width")
    expect(width >= 2, "the battery is empty")


@test("a password is sent as it was typed, with its spaces", needs_mock=True)
def password_spaces(stage):
    page = stage.open("#/rooms")
    room(page, "bedroom").locator(".room-join").click()
    page.get_by_label("Password or PIN").fill(" 47 11 ")
    with page.expect_request("**/password") as sent:
        page.get_by_role("button", name="Send").click()
    expect(sent.value.post_data_json == {"password": " 47 11 "}, f"the page sent {sent.value.post_data}")


@test("the focus stays on a room while another zone is removed")
def focus_kept(stage):
    other = stage.api.post("/zones", {"name": "Web loft", "rooms": []})["zone"]
    first = stage.api.post("/zones", {"name": "Web shed", "rooms": []})["zone"]
    last = stage.api.post("/zones", {"name": "Web tower", "rooms": []})["zone"]
    try:
        page = stage.open("#/rooms")
        card(page, last).locator(".zone-choose").focus()
        for zone in (other, first):
            stage.api.delete(f"/zones/{zone}")
        wait_for(lambda: card(page, first).count() == 0, "the page still shows the zone")
        kept = card(page, last).locator(".zone-choose").evaluate("e => e === document.activeElement")
        expect(kept, "the focus is lost")
    finally:
        stage.api.delete(f"/zones/{last}")


@test("an unknown volume is shown as unknown, and the first move of the slider sets it", needs_mock=True)
def unknown_volume(stage):
    name = stage.usable_rooms()[0]
    stage.join(name)
    stage.api.send("PATCH", f"/mock/rooms/{name}", {"volume": None})
    page = stage.open("#/rooms")
    item = room(page, name)
    percent = item.locator(".volume-line .percent")
    wait_for(lambda: percent.text_content() == "–", "the room's volume is not shown as unknown")
    zone_percent = page.locator("#playing .volume-line .percent")
    expect(zone_percent.text_content() == "–", f"the zone's volume is shown as “{zone_percent.text_content()}”")
    expect(zone_percent.is_visible(), "the zone's volume is hidden")
    zone = page.get_by_role("slider", name="Volume of the zone")
    expect(zone.get_attribute("aria-valuetext") == "Unknown", "the zone's slider tells a value")
    item.get_by_role("slider", name="Volume of").fill("30")
    wait_for(lambda: stage.api.room(name).get("volume") == 30, "the room's slider does not set the volume")
    stage.api.send("PATCH", f"/mock/rooms/{name}", {"volume": None})
    wait_for(lambda: percent.text_content() == "–", "the room's volume is not unknown again")
    zone.fill("40")
    wait_for(lambda: stage.api.room(name).get("volume") == 40, "the zone's slider does not set the volume")
    wait_for(lambda: zone_percent.text_content() == "40 %", "the zone's volume is not shown")


@test("a refused join is not announced as done")
def refused_join(stage):
    name = stage.usable_rooms()[0]
    page = stage.open("#/rooms")
    page.evaluate("new MutationObserver(() => window.said = (window.said ?? '') + announcer.textContent).observe(announcer, { childList: true })")
    page.route("**/zone", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", body='{"status":503,"code":"unavailable","detail":"The room is busy."}'))
    room(page, name).locator(".room-join").click()
    page.get_by_text("The room is busy.").wait_for()
    page.wait_for_timeout(100)
    expect("joined" not in (page.evaluate("window.said") or ""), "the page says that the room joined")
    stage.allow_errors()
