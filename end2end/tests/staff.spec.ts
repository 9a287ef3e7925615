import { APIRequestContext, Cookie, expect, Page, test as base, TestInfo } from '@playwright/test';

const EMAIL = process.env.ROWLOCK_STAFF_EMAIL ?? '';
const PASSWORD = process.env.ROWLOCK_STAFF_PASSWORD ?? '';

/** A whole page as people see it, kept with the test's results. */
async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  await page.screenshot({ path: info.outputPath(`${name}.png`), fullPage: true });
}

async function logIn(page: Page, password: string): Promise<void> {
  await page.goto('/staff');
  await expect(page).toHaveURL(/\/staff\/login$/);
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** One login a worker: the server counts logins of one address. */
const test = base.extend<object, { staff: Cookie[] }>({
  staff: [
    async ({ browser }, use) => {
      const context = await browser.newContext({ baseURL: process.env.ROWLOCK_URL, locale: 'en-US' });
      const page = await context.newPage();
      await logIn(page, PASSWORD);
      await expect(page.getByRole('heading', { level: 1, name: 'Shows' })).toBeVisible();
      const cookies = await context.cookies();
      await context.close();
      await use(cookies);
    },
    { scope: 'worker' },
  ],
});

/** Opens the form for the seat map with the fewest seats, and waits until the client is there. */
async function beginShow(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New show' }).first().click();
  const maps = page.locator('main ul a.section-row');
  await expect(maps.first()).toBeVisible();
  const texts = await maps.locator('.number').allTextContents();
  const sizes = texts.map((text) => parseInt(text.replace(/,/g, ''), 10));
  await maps.nth(sizes.indexOf(Math.min(...sizes))).click();
  await expect(page.getByLabel('Title')).toBeVisible();
}

async function fillShow(page: Page, title: string): Promise<void> {
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Summary').fill('Made by a browser test.');
  await page.getByLabel('Show starts', { exact: true }).fill('2099-06-01T19:30');
  const prices = page.locator('input[name$="-price"]');
  for (let at = 0; at < (await prices.count()); at++) await prices.nth(at).fill(`${50 - at * 5}.50`);
}

/** A buyer of the public API. */
async function fan(request: APIRequestContext) {
  const session = await request.post('/api/v1/sessions');
  const { token } = await session.json();
  const headers = { Authorization: `Bearer ${token}` };
  return {
    hold: (data: object) => request.post('/api/v1/bookings', { headers: { ...headers, 'Idempotency-Key': crypto.randomUUID() }, data }),
    pay: (booking: string) =>
      request.post(`/api/v1/bookings/${booking}/confirm`, {
        headers: { ...headers, 'Idempotency-Key': crypto.randomUUID() },
        data: { method: 'token', token: 'tok_ok' },
      }),
  };
}

test('staff make a show, publish it, see an order, keep seats and release them @both', async ({ page, context, request, staff }, info) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));

  await logIn(page, 'not the password');
  await expect(page.getByRole('alert')).toContainText('E-mail or password is not right');
  await picture(page, info, 'login');
  await context.addCookies(staff);
  await page.goto('/staff');
  await expect(page.getByRole('heading', { level: 1, name: 'Shows' })).toBeVisible();
  await picture(page, info, 'shows');

  const title = `The Tempest ${info.project.name}`;
  await beginShow(page);
  await page.reload({ waitUntil: 'networkidle' });
  await fillShow(page, title);
  // The client checks a field as soon as it is left.
  const price = page.locator('input[name="tier-0-price"]');
  await price.fill('cheap');
  await price.blur();
  await expect(page.getByText('An amount such as 45 or 45.50.')).toBeVisible();
  await expect(price).toHaveAttribute('aria-invalid', 'true');
  await picture(page, info, 'form');
  await price.fill('50.50');
  await price.blur();
  await expect(page.getByText('An amount such as 45 or 45.50.')).toBeHidden();
  await page.getByRole('button', { name: 'Save as draft' }).click();

  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByText('This is a draft')).toBeVisible();
  const show = new URL(page.url()).pathname.split('/').pop()!;
  expect((await request.get(`/api/v1/shows/${show}`)).status()).toBe(404);
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.locator('.badge', { hasText: 'On sale' })).toBeVisible();
  expect((await request.get(`/api/v1/shows/${show}`)).status()).toBe(200);

  const buyer = await fan(request);
  const held = await buyer.hold({ show_id: show, best: { count: 2 } });
  expect(held.status()).toBe(201);
  const booking = await held.json();
  expect((await buyer.pay(booking.id)).status()).toBe(200);
  await page.getByRole('link', { name: 'Orders of this show' }).click();
  const row = page.getByRole('row').filter({ hasText: booking.number });
  await expect(row).toContainText('Paid');
  await expect(row).toContainText(title);
  await page.getByLabel('Find orders').fill(booking.number);
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByRole('row').filter({ hasText: booking.number })).toBeVisible();
  await picture(page, info, 'orders');

  await page.goto(`/staff/shows/${show}`);
  await expect(page.locator('.tile.sold dd')).toHaveText('2');
  await page.locator('.sections a.section-row').last().click();
  await expect(page).toHaveURL(/section=/);
  const opened = page.locator('#section');
  const seats = opened.locator('input[name="seat"]:enabled');
  await expect(seats.first()).toBeVisible();
  const seat = Number(await seats.first().getAttribute('value'));
  await seats.nth(0).check();
  await seats.nth(1).check();
  await page.getByLabel('Reason').fill('Sound desk');
  await picture(page, info, 'house');
  await page.getByRole('button', { name: 'Keep these seats' }).click();
  const kept = page.getByRole('region', { name: 'Kept for the house' });
  await expect(kept).toContainText('Sound desk');
  const refused = await buyer.hold({ show_id: show, seats: [seat] });
  expect(refused.status()).toBe(409);
  expect((await refused.json()).code).toBe('seats_taken');
  await picture(page, info, 'kept');

  await kept.getByRole('button', { name: /^Release/ }).click();
  await expect(kept).toBeHidden();
  expect((await buyer.hold({ show_id: show, seats: [seat] })).status()).toBe(201);

  await page.getByRole('button', { name: 'Pause the sale' }).click();
  await expect(page.locator('.badge', { hasText: 'Paused' })).toBeVisible();
  expect((await buyer.hold({ show_id: show, best: { count: 1 } })).status()).toBe(409);
  await page.getByRole('button', { name: 'Resume the sale' }).click();
  await expect(page.locator('.badge', { hasText: 'On sale' })).toBeVisible();
  expect(errors).toEqual([]);
});

test('without script the form comes back as typed, and makes the show when it is right', async ({ browser, baseURL, staff }, info) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL, locale: 'en-US' });
  await context.addCookies(staff);
  const page = await context.newPage();
  await page.goto('/staff');
  await beginShow(page);
  await fillShow(page, 'Plain forms');
  await page.getByLabel('Show starts', { exact: true }).fill('2001-06-01T19:30');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await expect(page.getByRole('alert')).toContainText('Nothing was saved yet');
  await expect(page.getByText('This is in the past.')).toBeVisible();
  await expect(page.getByLabel('Summary')).toHaveValue('Made by a browser test.');
  await expect(page.locator('input[name="tier-0-price"]')).toHaveValue('50.50');
  await picture(page, info, 'returned');
  await page.getByLabel('Show starts', { exact: true }).fill('2099-06-01T19:30');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await expect(page.getByText('This is a draft')).toBeVisible();
  await context.close();
});

for (const [scheme, lang] of [['dark', 'zh'], ['light', 'zh'], ['dark', 'en']] as const) {
  test(`the console in ${lang}, ${scheme} @both`, async ({ page, context, baseURL, staff }, info) => {
    await context.addCookies(staff);
    await page.emulateMedia({ colorScheme: scheme });
    await context.addCookies([{ name: 'lang', value: lang, url: baseURL! }]);
    for (const [name, path] of [['shows', '/staff'], ['new', '/staff/shows/new'], ['orders', '/staff/orders']]) {
      await page.goto(path);
      await expect(page.locator('html')).toHaveAttribute('lang', lang === 'zh' ? 'zh-CN' : 'en');
      await expect(page.locator('h1')).toBeVisible();
      await picture(page, info, name);
    }
    await page.goto('/staff');
    await page.locator('a.show-row').first().click();
    await expect(page.locator('.tiles')).toBeVisible();
    await page.locator('.sections a.section-row').first().click();
    await expect(page.locator('#section')).toBeVisible();
    await picture(page, info, 'show');
  });
}
