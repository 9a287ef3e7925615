// The seat map is real: pixels of the canvas are tapped where the public geometry says a seat is,
// and the order that the API gives must hold that very seat.
import { Page, expect, test } from '@playwright/test';

import { House, MapPage, showOnSale } from '../support/seat_map';

let house: House;

test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL });
  house = await showOnSale(request, 200, 5_000);
  await request.dispose();
});

/** Holds what is chosen and says which seats the API's order has. */
async function heldSeats(map: MapPage): Promise<number[]> {
  await map.hold.click();
  await map.page.waitForURL(/\/orders\/\d+/);
  const order = map.page.url().match(/\/orders\/(\d+)/)![1];
  const answer = await map.page.request.get(`/api/v1/bookings/${order}`);
  expect(answer.status()).toBe(200);
  const seats = (await answer.json()).lines.map((line: any) => line.seat);
  // Given back, so that many runs find free seats.
  await map.page.request.post(`/api/v1/bookings/${order}/cancel`, {
    headers: { 'Idempotency-Key': crypto.randomUUID(), Origin: new URL(map.page.url()).origin },
  });
  return seats.sort((a: number, b: number) => a - b);
}

test('a tapped pixel is the seat in the order', async ({ page }) => {
  const map = new MapPage(page, house);
  await map.open();
  const middle = house.seats[Math.floor(house.seats.length / 2)];
  await map.wheelTo(middle);
  const [one, other] = [...new Set(await map.freeInView(6, 1))];
  await map.click(one);
  await expect(map.chosen).toHaveCount(1);
  await expect(map.chosen.first()).toContainText(map.words(one));
  await map.click(other);
  await expect(map.chosen).toHaveCount(2);
  expect(await heldSeats(map)).toEqual([one.index, other.index].sort((a, b) => a - b));
});

test('the plus button zooms about the middle, and small seats are not chosen', async ({ page }) => {
  const map = new MapPage(page, house);
  await map.open();
  const seat = house.seats[0];
  expect(map.camera.diameter(seat)).toBeLessThan(24);
  await map.click(house.seats[40]);
  await page.waitForTimeout(400);
  await expect(map.chosen).toHaveCount(0);
  await page.getByRole('button', { name: 'Whole house' }).click();
  await page.waitForTimeout(400);
  await map.look();
  while (map.camera.diameter(seat) < 26) {
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.waitForTimeout(350);
    map.camera.step(2);
  }
  const [target] = await map.freeInView(1, 3);
  await map.click(target);
  await expect(map.chosen.first()).toContainText(map.words(target));
});

// F43: device pixel ratio x what happened to the page before. Many taps each. A browser that zooms
// its pages has just another ratio, and more or fewer CSS pixels: half is 0.5.
for (const deviceScaleFactor of [0.5, 1, 1.25, 1.5, 2, 2.625, 3]) {
  for (const circumstance of ['plain', 'resized', 'scrolled', 'rotated'] as const) {
    test(`F43 the seat tapped is the seat chosen: ratio ${deviceScaleFactor}, ${circumstance}`, async ({ browser, baseURL }) => {
      const context = await browser.newContext({ baseURL, deviceScaleFactor, viewport: viewport(deviceScaleFactor) });
      const page = await context.newPage();
      const map = new MapPage(page, house);
      await map.open();
      await change(page, circumstance);
      await map.look();
      await map.wheelTo(house.seats[Math.floor(house.seats.length / 3)]);
      for (const seat of await map.freeInView(6, deviceScaleFactor * 8)) {
        // Not only the middle: anywhere on the disc.
        const at = map.camera.at(seat);
        const reach = (map.camera.diameter(seat) / 2) * 0.8;
        const angle = seat.index;
        const on = await map.place({ x: at.x + reach * Math.cos(angle), y: at.y + reach * Math.sin(angle) });
        await page.mouse.click(on.x, on.y);
        await expect(map.chosen).toHaveCount(1);
        await expect(map.chosen.first()).toContainText(map.words(seat));
        await page.mouse.click(on.x, on.y);
        await expect(map.chosen).toHaveCount(0);
      }
      await context.close();
    });
  }
}

function viewport(deviceScaleFactor: number): { width: number; height: number } {
  return deviceScaleFactor < 1 ? { width: 2200, height: 1520 } : { width: 1100, height: 760 };
}

async function change(page: Page, circumstance: 'plain' | 'resized' | 'scrolled' | 'rotated'): Promise<void> {
  if (circumstance === 'resized') await page.setViewportSize({ width: 903, height: 641 });
  if (circumstance === 'rotated') await page.setViewportSize({ width: 760, height: 1100 });
  if (circumstance === 'scrolled') {
    await page.evaluate(() => document.body.style.setProperty('padding-top', '260px'));
    await page.evaluate(() => window.scrollTo(0, 233));
  }
  await page.waitForTimeout(150);
}

test('F45 drags of 3 and 5 pixels choose, of 8 and 20 pan', async ({ page }) => {
  const map = new MapPage(page, house);
  await map.open();
  await map.wheelTo(house.seats[Math.floor(house.seats.length / 2)], 40);
  const [seat] = await map.freeInView(1, 5);
  for (const [way, chosen] of [[3, true], [5, true], [8, false], [20, false]] as const) {
    const on = await map.place(map.camera.at(seat));
    await page.mouse.move(on.x, on.y);
    await page.mouse.down();
    await page.mouse.move(on.x + way, on.y, { steps: 2 });
    // Long enough at rest that nothing is flung.
    await page.waitForTimeout(150);
    await page.mouse.up();
    await expect(map.chosen).toHaveCount(chosen ? 1 : 0);
    if (chosen) {
      await map.chosen.first().locator('.map-drop').click();
      await expect(map.chosen).toHaveCount(0);
    } else {
      map.camera.pan(way, 0);
    }
  }
  // The map is where the drags have put it.
  await map.click(seat);
  await expect(map.chosen.first()).toContainText(map.words(seat));
});

test('a held double click holds once', async ({ page }) => {
  const map = new MapPage(page, house);
  await map.open();
  await map.wheelTo(house.seats[Math.floor(house.seats.length / 2)]);
  const [seat] = await map.freeInView(1, 8);
  await map.click(seat);
  const holds: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/sf/hold')) holds.push(response.status());
  });
  await map.hold.dblclick();
  await page.waitForURL(/\/orders\/\d+/);
  // The first answer only says who the new buyer is.
  expect(holds).toEqual([401, 200]);
  const mine = await (await page.request.get('/api/v1/bookings')).json();
  expect(mine.bookings).toHaveLength(1);
});

test('what somebody else takes leaves the tray, with seats like it by one tap', async ({ page, playwright, baseURL }) => {
  const map = new MapPage(page, house);
  await map.open();
  await map.wheelTo(house.seats[Math.floor(house.seats.length / 2)]);
  const [seat] = await map.freeInView(1, 11);
  await map.click(seat);
  await expect(map.chosen).toHaveCount(1);
  const rival = await playwright.request.newContext({ baseURL });
  const { token } = await (await rival.post('/api/v1/sessions')).json();
  const taken = await rival.post('/api/v1/bookings', {
    headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': crypto.randomUUID() },
    data: { show_id: house.show, seats: [seat.index] },
  });
  expect(taken.status()).toBe(201);
  const conflict = page.locator('.map-tray .notice');
  await expect(conflict).toContainText(map.words(seat), { timeout: 2_000 });
  await expect(map.chosen).toHaveCount(0);
  await expect(page.locator('.map-tray [role=alert]')).toHaveCount(1);
  await conflict.getByRole('button').click();
  await expect(map.chosen).toHaveCount(1);
  await expect(map.chosen.first()).not.toContainText(map.words(seat));
  await rival.dispose();
});

test('seats together are drawn at once and held by one button', async ({ page }) => {
  const map = new MapPage(page, house);
  await map.open();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(map.hold).toContainText('Hold these 3');
  const seats = await heldSeats(map);
  expect(seats).toHaveLength(3);
  expect(seats[2] - seats[0], 'neighbours').toBe(2);
});

test('F47 a purchase begins by the keyboard alone', async ({ page }) => {
  const map = new MapPage(page, house);
  await map.open();
  await map.canvas.focus();
  await page.keyboard.press('ArrowRight');
  const spoken = page.locator('.map [aria-live=polite]');
  await expect(spoken).toContainText(/row\s.+seat\s.+free/);
  await page.keyboard.press('Enter');
  await expect(map.chosen).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(map.chosen).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(map.chosen).toHaveCount(1);
  await expect(spoken).toContainText('chosen');
});

test('F45 F46 on a phone: pinch never chooses, the page scrolls past the map, the canvas is bounded @phone', async ({ page, context }) => {
  const map = new MapPage(page, house);
  await map.open();
  const touch = await context.newCDPSession(page);
  const send = (type: string, points: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', {
      type: type as any,
      touchPoints: points.map((point, id) => ({ ...point, id })),
    });
  const middle = await map.place({ x: (await map.box()).width / 2, y: (await map.box()).height / 2 });
  const fingers = (gap: number) => [
    { x: middle.x - gap, y: middle.y },
    { x: middle.x + gap, y: middle.y },
  ];
  await send('touchStart', [fingers(20)[0]]);
  await send('touchStart', fingers(20));
  for (const gap of [40, 80, 120]) await send('touchMove', fingers(gap));
  // One finger first.
  await send('touchEnd', [fingers(120)[0]]);
  await send('touchEnd', []);
  await page.waitForTimeout(100);
  await expect(map.chosen).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeEnabled();
  await page.getByRole('button', { name: 'Whole house' }).click();
  await page.waitForTimeout(400);
  // A swipe over the whole house scrolls the page.
  const before = await page.evaluate(() => window.scrollY);
  await send('touchStart', [middle]);
  for (let n = 1; n <= 8; n++) await send('touchMove', [{ x: middle.x, y: middle.y - 20 * n }]);
  await send('touchEnd', []);
  await page.waitForTimeout(300);
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(before);
  await expect(map.chosen).toHaveCount(0);
  const pixels = await page.locator('.map canvas').evaluateAll((all) =>
    all.map((canvas) => (canvas as HTMLCanvasElement).width * (canvas as HTMLCanvasElement).height),
  );
  for (const count of pixels) expect(count).toBeLessThanOrEqual(16_000_000);
});

test('a tap on a phone zooms, a second one chooses @phone', async ({ page }) => {
  const map = new MapPage(page, house);
  await map.open();
  const [seat] = await map.freeInView(1, 2);
  let on = await map.place(map.camera.at(seat));
  await page.touchscreen.tap(on.x, on.y);
  await page.waitForTimeout(400);
  await expect(map.chosen).toHaveCount(0);
  // Seats of a small house are dots at first, so that the tap went near, about its own place.
  if (4 <= house.diameter * map.camera.scale) {
    map.camera.near(map.camera.at(seat));
    on = await map.place(map.camera.at(seat));
    await page.touchscreen.tap(on.x, on.y);
    await expect(map.chosen.first()).toContainText(map.words(seat));
  }
});
