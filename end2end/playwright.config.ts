import { defineConfig, devices } from '@playwright/test';

// Debian's Chromium: Playwright's own downloads are never used.
const chromium = {
  executablePath: process.env.ROWLOCK_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

// An untagged test runs on the desktop; `@phone` moves it to the phone, `@both` runs it on each.
export default defineConfig({
  testDir: './tests',
  outputDir: './test-results',
  globalSetup: './support/server.ts',
  workers: 2,
  retries: 0,
  forbidOnly: !!process.env.CI,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    // Set by the global set-up before the first test worker reads this file.
    baseURL: process.env.ROWLOCK_URL,
    locale: 'en-US',
    launchOptions: chromium,
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
  projects: [
    {
      name: 'desktop',
      grepInvert: /@phone/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
    },
    {
      name: 'phone',
      grep: /@phone|@both/,
      use: { ...devices['Pixel 7'] },
    },
  ],
});
