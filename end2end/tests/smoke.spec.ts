import { expect, test } from '@playwright/test';

test('the first page renders and comes alive @both', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const wasm = page.waitForResponse((response) => /\/pkg\/fan\.[0-9a-f]+_bg\.wasm$/.test(response.url()));

  const response = await page.goto('/');
  expect(response?.status()).toBe(200);
  await expect(page).toHaveTitle(/Rowlock/);
  expect((await wasm).status()).toBe(200);
  expect(errors).toEqual([]);
});
