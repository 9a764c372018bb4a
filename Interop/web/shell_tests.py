"""The page as an application: manifest, icons, policy, hosts, sizes, keys."""

import json
import struct
import urllib.request

import mock
from stage import expect, test, wait_for


def load(address):
    with urllib.request.urlopen(address, timeout=10) as answer:
        return answer.headers, answer.read()


def png_size(data):
    expect(data[:8] == b"\x89PNG\r\n\x1a\n", "the icon is not a PNG")
    return struct.unpack(">II", data[16:24])


@test("the manifest names icons of the right sizes, one of them maskable")
def manifest(stage):
    headers, data = load(stage.address + "/manifest.webmanifest")
    expect(headers.get_content_type() in ("application/manifest+json", "application/json"), f"its type is {headers.get_content_type()}")
    manifest = json.loads(data)
    for field in ("name", "short_name", "start_url", "display", "theme_color", "background_color"):
        expect(manifest.get(field), f"the manifest has no {field}")
    kinds = set()
    for each in manifest["icons"]:
        headers, data = load(stage.address + each["src"])
        kinds.add((each["sizes"], each.get("purpose", "any")))
        if each["type"] == "image/png":
            width, height = png_size(data)
            expect(each["sizes"] == f"{width}x{height}", f"{each['src']} is {width}x{height}")
        expect(len(data) < 20_000, f"{each['src']} has {len(data)} bytes")
    expect({("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= kinds, f"only {sorted(kinds)} are there")


@test("the browser finds no fault that keeps the page from being installed")
def installable(stage):
    page = stage.open()
    client = page.context.new_cdp_session(page)
    errors = client.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A test's context is a private window.
    names = [error["errorId"] for error in errors if error["errorId"] != "in-incognito"]
    expect(not names, f"it says {names}")
    described = page.evaluate("({ title: document.title, lang: document.documentElement.lang, viewport: document.querySelector('meta[name=viewport]')?.content })")
    expect(described["lang"] and described["title"] and "width=device-width" in described["viewport"], str(described))


@test("no request goes to another host, and the page stays small")
def own_host(stage):
    stage.fill(4, plays=True)
    page = stage.open()
    for view in ("#/queue", "#/rooms", "#/library/albums", "#/library/radio"):
        page.goto(f"{stage.address}/{view}")
        page.wait_for_timeout(300)
    foreign = [url for url in stage.requests if not url.startswith((stage.address, "data:"))]
    expect(not foreign, f"it asked {foreign[0] if foreign else ''}")
    shell = {url for url in stage.requests if "/api/" not in url}
    size = sum(len(load(url.split("#")[0])[1]) for url in shell)
    stage.note(f"{len(shell)} files, {size / 1000:.0f} kB")
    expect(size < 210_000, f"the page has {size} bytes")


@test("the policy forbids inline scripts and styles, and the page needs none")
def policy(stage):
    headers, data = load(stage.address + "/")
    rules = headers["Content-Security-Policy"] or ""
    expect("script-src 'self'" in rules and "style-src 'self'" in rules and "unsafe" not in rules, f"the policy is “{rules}”")
    text = data.decode()
    expect("style=" not in text and "onclick" not in text and "<script>" not in text, "index.html has inline code")
    stage.open()


@test("a code is asked for where the house wants one", needs_mock=True)
def code(stage):
    page = stage.browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(mock.start(code="314159"))
    field = page.get_by_label("Code")
    page.get_by_text("Run “tutti serve --code” on the machine of the service.").wait_for()
    field.fill("000000")
    page.get_by_role("button", name="Connect").click()
    page.get_by_text("The code is wrong.").wait_for()
    field.fill("314159")
    page.get_by_role("button", name="Connect").click()
    page.locator("#playing-heading").get_by_text("Lantern").wait_for(timeout=5000)
    page.context.close()


@test("the demo's plug lets a room play on from its buffer, and the page warns", needs_mock=True)
def demo(stage):
    page = stage.browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(mock.start(is_demo=True))
    page.get_by_text("A house to try").wait_for()
    lane = page.locator(".lane").filter(has_text="Kitchen")
    page.wait_for_timeout(1500)
    page.locator(".plugs").get_by_role("button", name="Pull the plug: Kitchen").click()
    wait_for(lambda: "left in its buffer" in lane.text_content(), "the lane does not warn")
    seconds = [int(lane.locator(".lane-depth").text_content().split()[0])]
    page.wait_for_timeout(2500)
    seconds.append(int(lane.locator(".lane-depth").text_content().split()[0]))
    expect(seconds[1] < seconds[0], f"the buffer does not drain: {seconds}")
    page.locator(".plugs").get_by_role("button", name="Plug in: Kitchen").click()
    wait_for(lambda: "ahead" in lane.text_content(), "the lane does not recover")
    page.context.close()


@test("a plug that another browser pulls is shown as pulled", needs_mock=True)
def plug_in_two(stage):
    address, pages = mock.start(is_demo=True), []
    for _ in range(2):
        page = stage.browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.goto(address)
        page.locator(".plugs").get_by_role("button", name="Pull the plug: Kitchen").wait_for()
        pages.append(page)
    pages[0].locator(".plugs").get_by_role("button", name="Pull the plug: Kitchen").click()
    pages[1].locator(".plugs").get_by_role("button", name="Plug in: Kitchen").wait_for(timeout=5000)
    for page in pages:
        page.context.close()


@test("a change of the view moves the focus to the heading of the view")
def heading_focus(stage):
    page = stage.open("#/library/albums", 390, 844)
    for view in ("playing", "queue", "rooms", "library"):
        page.locator(f'#tabs a[data-tab="{view}"]').click()
        wait_for(lambda: page.evaluate("document.activeElement.id") == f"{view}-heading", f"the focus is not on the heading of {view}")


@test("Escape gives the focus back to the opener of a menu; an action keeps the focus that it has set")
def menu_focus(stage):
    titles = stage.fill(plays=True)
    page = stage.open("#/queue")
    more = page.get_by_role("button", name="More for the queue")
    more.click()
    page.keyboard.press("Escape")
    wait_for(lambda: more.evaluate("e => e === document.activeElement"), "the opener has no focus")
    more.click()
    page.get_by_role("menuitem", name="Show the current entry").click()
    page.wait_for_timeout(200)
    focused = page.evaluate("document.activeElement.closest('.queue-row')?.querySelector('.row-title').textContent")
    expect(focused == titles[0], f"the focus is on “{focused}”")


@test("a request without an answer ends, and its tap is taken back")
def time_limit(stage):
    stage.fill(plays=True)
    page = stage.open(scripts=("const limit = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = (ms) => limit(ms / 100);",))
    button = page.locator("#playing .play")
    wait_for(lambda: button.get_attribute("aria-label") == "Pause", "the zone does not play")
    held = []
    page.route("**/pause", lambda route: held.append(route))
    button.click()
    page.get_by_text("The house does not answer.").wait_for()
    wait_for(lambda: button.get_attribute("aria-label") == "Pause", "the button was not put back")
    for route in held:
        route.abort()
    stage.allow_errors()


@test("the theme is switched, and kept over a reload")
def theme(stage):
    page = stage.open(theme="light")
    page.get_by_role("button", name="Theme: as in the system").click()
    page.get_by_role("button", name="Theme: light").click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.reload()
    page.get_by_role("button", name="Theme: dark").wait_for()
    expect(page.evaluate("getComputedStyle(document.body).backgroundColor") == dark, "the reload forgot the theme")


@test("help lists the keys; single keys can be turned off")
def keys(stage):
    stage.fill(plays=True)
    page = stage.open()
    page.locator("body").press("?")
    page.get_by_role("checkbox", name="Use single keys").uncheck()
    page.keyboard.press("Escape")
    page.locator("body").press("n")
    page.wait_for_timeout(300)
    expect(stage.api.zone(stage.zone)["index"] == 0, "the key n still works")
