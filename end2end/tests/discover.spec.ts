import { expect, Page, test } from '@playwright/test';

/** Waits until the client has taken the page over: only then do results follow the typing. */
async function alive(page: Page): Promise<void> {
  await page.waitForResponse((response) => response.url().endsWith('_bg.wasm'));
  await page.waitForLoadState('networkidle');
}

function heedErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

test('results follow the typing, and the address can be shared @both', async ({ page }, info) => {
  const errors = heedErrors(page);
  const ready = alive(page);
  await page.goto('/');
  await ready;
  const cards = page.locator('.cards > .card');
  const all = await cards.count();
  expect(all).toBeGreaterThan(2);
  const title = (await cards.nth(1).getByRole('heading').textContent())!;
  // The longest word: the short ones stand in many titles.
  const word = title.split(/[\s:：]/).sort((one, other) => other.length - one.length)[0];
  await page.screenshot({ path: info.outputPath('discover.png'), fullPage: true });

  await page.getByRole('searchbox').pressSequentially(word);
  await expect(page).toHaveURL(new RegExp(`\\?q=${encodeURIComponent(word)}$`));
  await expect(cards.first().getByRole('heading')).toHaveText(title);
  expect(await cards.count()).toBeLessThan(all);

  await page.reload();
  await expect(page.getByRole('searchbox')).toHaveValue(word);
  await expect(cards.first().getByRole('heading')).toHaveText(title);

  await page.getByRole('searchbox').fill('qqqqqzzzz');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await page.getByRole('link', { name: 'Show everything' }).click();
  await expect(cards).toHaveCount(all);
  expect(errors).toEqual([]);
});

test('a city is one tap away', async ({ page }) => {
  await page.goto('/');
  const chip = page.locator('.chip').nth(1);
  const city = (await chip.textContent())!;
  await chip.click();
  await expect(page).toHaveURL(new RegExp(`city=${encodeURIComponent(city)}`));
  await expect(page.locator('.chip[aria-current]')).toHaveText(city);
  for (const place of await page.locator('.show-row-text .muted').allTextContents()) {
    expect(place).toContain(city);
  }
});

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('the browser’s language is spoken, and Chinese words are found @both', async ({ page }, info) => {
    const errors = heedErrors(page);
    const ready = alive(page);
    await page.goto('/');
    await ready;
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('近期演出');
    const title = (await page.locator('.card h2', { hasText: /\p{Script=Han}/u }).first().textContent())!;
    const words = title.match(/\p{Script=Han}{2}/u)![0];
    await page.getByRole('searchbox').fill(words);
    await expect(page.locator('.card h2').first()).toContainText(words);
    await page.screenshot({ path: info.outputPath('discover-zh.png'), fullPage: true });
    expect(errors).toEqual([]);
  });

  test('the language can be changed where one stands', async ({ page }) => {
    await page.goto('/?q=a');
    await page.getByRole('button', { name: 'English' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page).toHaveURL(/\/\?q=a$/);
    await page.goto('/orders');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('My orders');
  });
});

test('a sale that is still to come counts down by the server’s clock', async ({ page }) => {
  await page.goto('/');
  await page.locator('a.show-row:has(.badge.soon)').first().click();
  const count = page.locator('.count');
  await expect(count).toHaveText(/\d:\d\d$/);
  const first = await count.textContent();
  await expect(count).not.toHaveText(first!);
});

test('an address where nothing stands says so', async ({ page }) => {
  for (const path of ['/nowhere', '/shows/999999999', '/events/x', '/orders/1']) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing stands here');
  }
});
