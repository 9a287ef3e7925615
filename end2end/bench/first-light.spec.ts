// First light: what a fan waits for. The server is the release build with everything on.
import * as http from 'node:http';

import { APIRequestContext, Page, expect, test } from '@playwright/test';

import { House, MapPage, showOnSale, states } from '../support/seat_map';
import { figure, quantile } from './figure';

const ROUNDS = 5;
const HOLDS_PER_ROUND = 200;
const CHANGES_PER_SECOND = 50;

let house: House;

test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL });
  house = await showOnSale(request, 50_000);
  await request.dispose();
});

/** Free seats, spread over the house so that rounds do not meet. */
async function freeSeats(request: APIRequestContext): Promise<number[]> {
  const now = await states(request, house.show);
  return house.seats.map((seat) => seat.index).filter((index) => now[index] === 'f');
}

test('snapshot of 50,000 seats', async ({ request }) => {
  const answer = await request.get(`/api/v1/shows/${house.show}/seats`, { headers: { 'Accept-Encoding': 'identity' } });
  expect(answer.headers()['content-encoding']).toBeUndefined();
  figure('snapshot-50k', (await answer.body()).length / 1000, 'KB', '<=', 12.6);
});

/** One request on a kept connection; answers the milliseconds from the first byte to the last. */
function timed(agent: http.Agent, url: URL, token: string, body: string): Promise<{ status: number; ms: number; text: string }> {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint();
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': crypto.randomUUID(),
    };
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.on('data', (piece) => (text += piece));
      response.on('end', () => {
        resolve({ status: response.statusCode!, ms: Number(process.hrtime.bigint() - start) / 1e6, text });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function newToken(request: APIRequestContext): Promise<string> {
  return (await (await request.post('/api/v1/sessions')).json()).token;
}

test('a hold from POST to durable 201', async ({ request, baseURL }) => {
  const free = await freeSeats(request);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const url = new URL('/api/v1/bookings', baseURL);
  const medians = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times = [];
    for (let n = 0; n < HOLDS_PER_ROUND; n++) {
      const token = await newToken(request);
      const seats = [free.pop()!, free.pop()!];
      const answer = await timed(agent, url, token, JSON.stringify({ show_id: house.show, seats }));
      expect(answer.status, answer.text).toBe(201);
      times.push(answer.ms);
      await timed(agent, new URL(`/api/v1/bookings/${JSON.parse(answer.text).id}/cancel`, baseURL), token, '{}');
    }
    medians.push(quantile(times, 0.5));
  }
  agent.destroy();
  console.log(`\nhold p50 by round, ms: ${medians.map((ms) => ms.toFixed(2)).join(' ')}`);
  figure('hold-round-trip-p50', Math.max(...medians), 'ms', '<=', 5, ROUNDS);
});

/** Holds and gives back, until told to stop; answers how many changes there were. */
function churn(request: APIRequestContext, baseURL: string, free: number[]): () => Promise<number> {
  let stopped = false;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const run = async () => {
    let changes = 0;
    const token = await newToken(request);
    const start = Date.now();
    while (!stopped) {
      const seat = free[changes % free.length];
      const held = await timed(agent, new URL('/api/v1/bookings', baseURL), token, JSON.stringify({ show_id: house.show, seats: [seat] }));
      if (held.status === 201) {
        await timed(agent, new URL(`/api/v1/bookings/${JSON.parse(held.text).id}/cancel`, baseURL), token, '{}');
      }
      changes += 2;
      const due = start + (changes * 1000) / CHANGES_PER_SECOND;
      await new Promise((resume) => setTimeout(resume, Math.max(0, due - Date.now())));
    }
    agent.destroy();
    return changes / ((Date.now() - start) / 1000);
  };
  const running = run();
  return () => {
    stopped = true;
    return running;
  };
}

test('the map of 50,000 seats answers a tap', async ({ browser, request, baseURL }) => {
  // As far sold as the demonstration makes it; said, since the goal is for 60%.
  const now = await states(request, house.show);
  const gone = [...now].filter((state) => state !== 'f').length / now.length;
  const free = await freeSeats(request);
  const stop = churn(request, baseURL!, free.slice(0, 2_000));
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Where to tap is tried out beforehand: in the whole house several seats lie under one pixel, and
    // the tap that follows the zoom has to find one that is free.
    const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const map = new MapPage(page, house);
    const chosenIn = (tab: Page) => tab.locator('.map-chosen li').first();
    let on: { x: number; y: number } | undefined;
    for (let n = 0; on === undefined; n++) {
      expect(n, 'somewhere a tap finds a free seat').toBeLessThan(20);
      await map.open();
      const target = house.seats[free[5_000 + ((round * 997 + n * 131) % (free.length - 5_000))]];
      if (!map.camera.sees(target, 100)) continue;
      const at = await map.place(map.camera.at(target));
      for (let tap = 0; tap < 3 && on === undefined; tap++) {
        await page.mouse.click(at.x, at.y);
        if (await chosenIn(page).waitFor({ timeout: 1_000 }).then(() => true, () => false)) on = at;
      }
    }
    await context.close();

    // A browser that was never here: nothing cached.
    const fresh = await browser.newContext({ baseURL, viewport: { width: 1280, height: 800 } });
    const tab = await fresh.newPage();
    const start = Date.now();
    await tab.goto(`/shows/${house.show}/seats`, { waitUntil: 'commit' });
    // The first tap that is heard zooms in; the next chooses.
    while ((await chosenIn(tab).count().catch(() => 0)) === 0 && Date.now() - start < 20_000) {
      await tab.mouse.click(on.x, on.y).catch(() => undefined);
      // A tap too soon after the one that chose would take it back.
      await chosenIn(tab).waitFor({ timeout: 350 }).catch(() => undefined);
    }
    times.push(Date.now() - start);
    await expect(chosenIn(tab)).toBeVisible();
    await fresh.close();
  }
  const rate = await stop();
  console.log(`\n${(gone * 100).toFixed(0)}% gone, ${rate.toFixed(0)} changes a second; ms: ${times.join(' ')}`);
  figure('map-50k-interactive', Math.max(...times), 'ms', '<=', 2_000, ROUNDS);
});
