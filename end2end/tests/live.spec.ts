// What happens in one browser is seen in another one, in the pixels of its map.
import { Page, expect, test } from '@playwright/test';

import { House, MapPage, Seat, showOnSale } from '../support/seat_map';

/** From the answer to the one who acted until everybody else sees it. */
const SEEN_MS_MAX = 1_000;

let house: House;

test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL });
  house = await showOnSale(request, 200, 5_000);
  await request.dispose();
});

/** A map with the camera near `seat`, or near the middle of the house. */
async function near(page: Page, seat?: Seat): Promise<MapPage> {
  const map = new MapPage(page, house);
  await map.open();
  await map.wheelTo(seat ?? house.seats[Math.floor(house.seats.length / 2)]);
  return map;
}

/** When the answer to what `act` asks of `path` had come in whole: milliseconds since 1970. */
async function answered(page: Page, path: RegExp, act: () => Promise<void>): Promise<number> {
  const finished = page.waitForEvent('requestfinished', (request) => path.test(request.url()));
  await act();
  const { startTime, responseEnd } = (await finished).timing();
  return startTime + responseEnd;
}

test('a second browser sees a hold within a second, and the seat free again after it is given back', async ({ page, browser, baseURL }) => {
  const mine = await near(page);
  const [seat] = await mine.freeInView(1, 17);
  const context = await browser.newContext({ baseURL });
  const theirs = await near(await context.newPage(), seat);
  const free = await theirs.colour(seat);

  await mine.click(seat);
  await expect(mine.chosen).toHaveCount(1);
  // Only chosen: nobody else sees anything of it.
  expect(await theirs.colour(seat)).toBe(free);

  const seenHeld = theirs.changes(seat, free);
  const heldAt = await answered(page, /\/sf\/hold$/, () => mine.hold.click());
  expect((await seenHeld) - heldAt).toBeLessThanOrEqual(SEEN_MS_MAX);
  const held = await theirs.colour(seat);
  expect(held).not.toBe(free);

  await page.waitForURL(/\/orders\/\d+/);
  const seenFree = theirs.changes(seat, held);
  const cancelledAt = await answered(page, /\/cancel$/, () => page.getByRole('button', { name: 'Give all seats back' }).click());
  expect((await seenFree) - cancelledAt).toBeLessThanOrEqual(SEEN_MS_MAX);
  expect(await theirs.colour(seat)).toBe(free);
  await context.close();
});
