// What is measured in a browser and over HTTP: run by tools/bench, never by `make test`.
import { defineConfig } from '@playwright/test';

import config from './playwright.config';

export default defineConfig(config, {
  testDir: './bench',
  workers: 1,
  timeout: 600_000,
  reporter: [['line']],
  use: { trace: 'off', screenshot: 'off' },
  projects: [config.projects![0]],
});
