import { expect, Page, test } from '@playwright/test';

// Plain forms from the first page to the ticket: what works here works without WebAssembly, on
// slow lines and with a screen reader.
test.use({ javaScriptEnabled: false });

async function openList(page: Page): Promise<void> {
  await page.goto('/');
  await page.locator('a.show-row:has(.badge.good)').first().click();
  await page.getByRole('link', { name: 'List view' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose seats from a list');
}

async function pay(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Ada Fan');
  await page.getByLabel('E-mail').fill('ada@example.org');
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect(page).toHaveURL(/\/sandbox\/pay\//);
}

test('two seats are bought with JavaScript off, after one is dropped and one card declined @both', async ({ page }, info) => {
  await openList(page);
  await page.getByLabel('How many').selectOption('3');
  await page.getByRole('button', { name: 'Hold best seats' }).click();

  await expect(page).toHaveURL(/\/orders\/\d+$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkout');
  await expect(page.locator('.deadline')).toContainText('Held for you until');
  await expect(page.locator('.line')).toHaveCount(3);
  await page.getByRole('button', { name: /^Remove / }).last().click();
  await expect(page.locator('.line')).toHaveCount(2);
  const seats = await page.locator('.line-text > span:first-child').allTextContents();
  const total = await page.locator('.sums .total dd').textContent();
  await page.screenshot({ path: info.outputPath('checkout.png'), fullPage: true });

  await pay(page);
  await page.getByRole('button', { name: 'Be declined' }).click();
  await expect(page.getByRole('alert')).toContainText('declined');
  await expect(page.locator('.line')).toHaveCount(2);

  await pay(page);
  await page.getByRole('button', { name: /^Pay / }).click();
  // A page that waits for the provider's word loads itself anew.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are going', { timeout: 20_000 });
  await expect(page.locator('.ticket-seat')).toHaveText(seats);
  await expect(page.locator('.ticket .qr svg')).toHaveCount(2);
  await expect(page.locator('.sums .total dd')).toHaveText(total!);
  await page.screenshot({ path: info.outputPath('tickets.png'), fullPage: true });

  await page.getByRole('link', { name: 'My orders' }).click();
  await expect(page.locator('.show-row', { has: page.locator('.badge.good') })).toHaveCount(1);
});

test('a seat is chosen from its row, and nobody else can hold it', async ({ page, browser, baseURL }, info) => {
  await openList(page);
  await page.locator('a.section-row').first().click();
  const box = page.locator('.seat-box:not(.gone) input').first();
  const seat = await box.getAttribute('value');
  const list = page.url();
  await page.screenshot({ path: info.outputPath('rows.png') });
  await box.check();
  await page.getByRole('button', { name: 'Hold chosen seats' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkout');
  await expect(page.locator('.line')).toHaveCount(1);

  const other = await browser.newContext({ javaScriptEnabled: false, baseURL });
  const rival = await other.newPage();
  await rival.goto(list);
  await expect(rival.locator(`input[name=seat][value="${seat}"]:enabled`)).toHaveCount(0);
  // Somebody whose page is older than the hold sends the seat all the same.
  const form = { seat: seat!, command_id: crypto.randomUUID() };
  const show = list.match(/\/shows\/(\d+)\//)![1];
  const answer = await other.request.post(`/shows/${show}/hold`, { form });
  expect(answer.status()).toBe(200);
  expect(await answer.text()).toContain('Somebody was faster');

  await page.getByRole('button', { name: 'Give all seats back' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Seats given back');
  // Not `goto`: the address ends in #section, and to go where one stands loads nothing.
  await rival.reload();
  await expect(rival.locator(`input[name=seat][value="${seat}"]`)).toBeEnabled();
  await other.close();
});

test('another browser cannot open an order', async ({ page, browser, baseURL }) => {
  await openList(page);
  await page.getByRole('button', { name: 'Hold best seats' }).click();
  await expect(page).toHaveURL(/\/orders\/\d+$/);
  const other = await browser.newContext({ baseURL });
  const answer = await other.request.get(page.url());
  expect(answer.status()).toBe(404);
  expect(await answer.text()).toContain('Nothing stands here');
  expect(answer.headers()['cache-control']).toBe('no-store');
  await other.close();
  await page.getByRole('button', { name: 'Give all seats back' }).click();
});
