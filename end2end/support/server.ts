// Starts a demo server of its own for one run of the browser tests, and stops it afterwards.
// Tests find it in ROWLOCK_URL, ROWLOCK_STAFF_EMAIL and ROWLOCK_STAFF_PASSWORD. Whoever has set
// ROWLOCK_URL (and the other two) has the tests use the server that runs there instead.
import { ChildProcess, spawn } from 'node:child_process';
import * as crypto from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';

const TOP = path.resolve(__dirname, '../..');
const PROGRAM = process.env.ROWLOCK_PROGRAM ?? path.join(TOP, 'target/release/rowlock');
// The first start makes a database cluster and seeds two venues.
const START_SECONDS_MAX = 120;
const STOP_SECONDS_MAX = 30;

export default async function startServer(): Promise<(() => Promise<void>) | void> {
  if (process.env.ROWLOCK_URL) return;
  if (!fs.existsSync(PROGRAM)) throw new Error(`${PROGRAM} is not built: run make test`);

  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'rowlock-e2e-'));
  const logFile = path.join(TOP, 'end2end/test-results/server.log');
  fs.mkdirSync(path.dirname(logFile), { recursive: true });
  const log = fs.openSync(logFile, 'w');
  const address = `127.0.0.1:${await freePort()}`;
  const password = crypto.randomBytes(12).toString('hex');
  const environment = {
    ...process.env,
    ROWLOCK_ADDR: address,
    ROWLOCK_DATA_DIR: dataDir,
    ROWLOCK_DEMO_PASSWORD: password,
  };
  // Its own databases, whatever the developer's shell points to.
  delete environment.DATABASE_URL;
  delete environment.REDIS_URL;

  // A group of its own can be ended as a whole; `setpriv` ends the server even when this process
  // is killed and cannot.
  const server = spawn('setpriv', ['--pdeathsig', 'TERM', PROGRAM, 'serve', '--demo'], {
    cwd: TOP,
    env: environment,
    stdio: ['ignore', log, log],
    detached: true,
  });
  fs.closeSync(log);
  const stop = async () => {
    await stopGroup(server);
    for (const folder of [servicesDir(dataDir), dataDir]) fs.rmSync(folder, { recursive: true, force: true });
  };

  const url = `http://${address}`;
  try {
    await answers(url, server, logFile);
  } catch (error) {
    await stop();
    throw error;
  }
  process.env.ROWLOCK_URL = url;
  process.env.ROWLOCK_SERVER_LOG = logFile;
  process.env.ROWLOCK_STAFF_EMAIL = 'admin@rowlock.example';
  process.env.ROWLOCK_STAFF_PASSWORD = password;
  return stop;
}

/** Started as root, the server keeps its databases apart, owned by another user. */
function servicesDir(dataDir: string): string {
  if (process.getuid?.() !== 0) return path.join(dataDir, 'services');
  const digest = crypto.createHash('sha256').update(fs.realpathSync(dataDir)).digest('hex');
  return path.join('/var/lib/rowlock', digest.slice(0, 16));
}

async function freePort(): Promise<number> {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as net.AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

async function answers(url: string, server: ChildProcess, logFile: string): Promise<void> {
  const latest = Date.now() + START_SECONDS_MAX * 1000;
  const tail = () => fs.readFileSync(logFile, 'utf8').split('\n').slice(-30).join('\n');
  let failure: Error | undefined;
  server.once('error', (error) => (failure = error));
  while (Date.now() < latest) {
    if (failure) throw failure;
    if (server.exitCode !== null || server.signalCode !== null) {
      throw new Error(`the server ended before it answered:\n${tail()}`);
    }
    // It answers before its shows and its member of staff are there, and says when they are.
    const ready = fs.readFileSync(logFile, 'utf8').includes('Rowlock is at ');
    if (ready && (await fetch(url).catch(() => undefined))?.ok) return;
    await new Promise((resume) => setTimeout(resume, 200));
  }
  throw new Error(`the server did not answer within ${START_SECONDS_MAX} s:\n${tail()}`);
}

async function stopGroup(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  process.kill(-server.pid, 'SIGTERM');
  const impatience = setTimeout(() => process.kill(-server.pid!, 'SIGKILL'), STOP_SECONDS_MAX * 1000);
  await ended;
  clearTimeout(impatience);
}
