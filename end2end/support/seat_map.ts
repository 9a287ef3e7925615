// Where a seat is on the screen, computed from the public geometry and from the camera's documented
// rules (app/src/seat_map/camera.rs) alone: there is nothing in the page that helps.
import { APIRequestContext, Locator, Page, expect } from '@playwright/test';

export interface Seat {
  index: number;
  section: string;
  row: string;
  label: string;
  x: number;
  y: number;
  radius: number;
}

export interface House {
  show: string;
  width: number;
  height: number;
  seats: Seat[];
  /** Diameter of the middle one of all seats by size, plan units. */
  diameter: number;
}

const JSON_ONLY = { headers: { Accept: 'application/json' } };

/** A show on sale whose house has at least `seats` seats; the smallest such house. */
export async function showOnSale(request: APIRequestContext, seats = 0, atMost = Infinity): Promise<House> {
  const page = await (await request.get('/api/v1/events/search?q=')).json();
  const cards = page.events.flatMap((event: any) => event.shows);
  const open = cards
    .filter((card: any) => ['on_sale', 'few_left'].includes(card.status))
    .filter((card: any) => card.capacity >= seats && card.capacity <= atMost)
    .sort((a: any, b: any) => a.capacity - b.capacity || Number(BigInt(a.id) - BigInt(b.id)));
  expect(open.length, 'the demonstration has a show on sale').toBeGreaterThan(0);
  return house(request, open[0].id);
}

export async function house(request: APIRequestContext, show: string): Promise<House> {
  const { seat_map } = await (await request.get(`/api/v1/shows/${show}`)).json();
  const answer = await request.get(`/api/v1/seat-maps/${seat_map}`, JSON_ONLY);
  expect(answer.status()).toBe(200);
  const map = await answer.json();
  const seats: Seat[] = [];
  for (const section of map.sections) {
    for (const row of section.rows) {
      for (const seat of row.seats) {
        seats.push({
          index: seats.length,
          section: section.name,
          row: row.label,
          label: seat.label,
          x: seat.at[0],
          y: seat.at[1],
          radius: seat.radius ?? 10,
        });
      }
    }
  }
  const radii = seats.map((seat) => seat.radius).sort((a, b) => a - b);
  const diameter = 2 * radii[Math.floor(radii.length / 2)];
  return { show, width: map.width, height: map.height, seats, diameter };
}

/** A letter by seat: `f`ree, `h`eld, `s`old or `b`locked. */
export async function states(request: APIRequestContext, show: string): Promise<string> {
  const answer = await request.get(`/api/v1/shows/${show}/seats`, JSON_ONLY);
  return (await answer.json()).states;
}

const MARGIN = 16;
const NEAR = 32;
const LARGEST = 64;

/** The camera over a map, as its documentation says it. All lengths in CSS pixels of the map's box. */
export class Camera {
  scale: number;
  x: number;
  y: number;
  private readonly least: number;
  private readonly most: number;

  constructor(
    private readonly house: House,
    private readonly width: number,
    private readonly height: number,
  ) {
    this.least = Math.min((width - 2 * MARGIN) / house.width, (height - 2 * MARGIN) / house.height);
    this.most = Math.max(LARGEST / house.diameter, 2 * this.least);
    this.scale = this.least;
    this.x = (width - house.width * this.scale) / 2;
    this.y = (height - house.height * this.scale) / 2;
  }

  at(seat: { x: number; y: number }): { x: number; y: number } {
    return { x: seat.x * this.scale + this.x, y: seat.y * this.scale + this.y };
  }

  /** Drawn diameter of a seat. */
  diameter(seat: Seat): number {
    return 2 * seat.radius * this.scale;
  }

  zoom(at: { x: number; y: number }, factor: number): void {
    const scale = Math.min(Math.max(this.scale * factor, this.least), this.most);
    const real = scale / this.scale;
    this.scale = scale;
    this.x = at.x - (at.x - this.x) * real;
    this.y = at.y - (at.y - this.y) * real;
    this.bound();
  }

  wheel(at: { x: number; y: number }, dy: number): void {
    this.zoom(at, 2 ** (-Math.min(Math.max(dy, -240), 240) / 240));
  }

  step(factor: number): void {
    this.zoom({ x: this.width / 2, y: this.height / 2 }, factor);
  }

  /** A tap where seats are too small to choose. */
  near(at: { x: number; y: number }): void {
    this.zoom(at, NEAR / this.house.diameter / this.scale);
  }

  pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    this.bound();
  }

  sees(seat: Seat, inset = 20): boolean {
    const { x, y } = this.at(seat);
    return x >= inset && y >= inset && x <= this.width - inset && y <= this.height - inset;
  }

  private bound(): void {
    const grown = (this.scale - this.least) / 2;
    const axis = (origin: number, house: number, view: number) => {
      const middle = (view - house * this.scale) / 2;
      return Math.min(Math.max(origin, middle - grown * house), middle + grown * house);
    };
    this.x = axis(this.x, this.house.width, this.width);
    this.y = axis(this.y, this.house.height, this.height);
  }
}

/** A seat map page under test: acts like a person, computes like the documentation. */
export class MapPage {
  camera!: Camera;

  constructor(
    readonly page: Page,
    readonly house: House,
  ) {}

  get canvas(): Locator {
    return this.page.locator('canvas[role=application]');
  }

  get hold(): Locator {
    return this.page.locator('.map-hold');
  }

  get chosen(): Locator {
    return this.page.locator('.map-chosen li');
  }

  async open(): Promise<void> {
    await this.page.goto(`/shows/${this.house.show}/seats`);
    await this.ready();
  }

  /** The map is drawn and listens. */
  async ready(): Promise<void> {
    await expect(this.page.getByRole('button', { name: 'Zoom in' })).toBeEnabled();
    await this.look();
  }

  /** Takes the map's box as it is now, at the whole house. */
  async look(): Promise<void> {
    const box = await this.box();
    this.camera = new Camera(this.house, box.width, box.height);
  }

  async box(): Promise<{ x: number; y: number; width: number; height: number }> {
    return this.canvas.evaluate((canvas) => {
      const { x, y, width, height } = canvas.getBoundingClientRect();
      return { x, y, width, height };
    });
  }

  /** A place of the map in CSS pixels of the page. */
  async place(at: { x: number; y: number }): Promise<{ x: number; y: number }> {
    const box = await this.box();
    return { x: box.x + at.x, y: box.y + at.y };
  }

  /**
   * Turns the wheel at a seat until seats can be chosen there. Wheel events carry whole pixels, and
   * the driver divides their way by the device pixel ratio that it emulates.
   */
  async wheelTo(seat: Seat, diameter = 30): Promise<void> {
    const ratio = await this.page.evaluate(() => devicePixelRatio);
    const box = await this.box();
    while (this.camera.diameter(seat) < diameter) {
      const at = this.camera.at(seat);
      const on = { x: Math.round(box.x + at.x), y: Math.round(box.y + at.y) };
      await this.page.mouse.move(on.x, on.y);
      await this.page.mouse.wheel(0, -200 * ratio);
      this.camera.wheel({ x: on.x - box.x, y: on.y - box.y }, -200);
    }
    await this.frames();
  }

  /** Free seats that the camera draws where a finger reaches the map: nothing lies over them. */
  async freeInView(count: number, shuffle: number): Promise<Seat[]> {
    const free = await states(this.page.request, this.house.show);
    const drawn = this.house.seats.filter((seat) => free[seat.index] === 'f' && this.camera.sees(seat));
    const box = await this.box();
    const discs = drawn.map((seat) => {
      const { x, y } = this.camera.at(seat);
      return { x: x + box.x, y: y + box.y, radius: this.camera.diameter(seat) / 2 };
    });
    const reached = await this.canvas.evaluate((canvas, discs) => {
      const open = (x: number, y: number) => document.elementFromPoint(x, y) === canvas;
      return discs.map(({ x, y, radius: r }) => open(x - r, y) && open(x + r, y) && open(x, y - r) && open(x, y + r));
    }, discs);
    const seats = drawn.filter((_, n) => reached[n]);
    expect(seats.length).toBeGreaterThanOrEqual(count);
    return Array.from({ length: count }, (_, n) => seats[(n * 7919 + shuffle * 104_729) % seats.length]);
  }

  /** The colour in the middle of a seat, as the lower canvas shows it; held seats are hollow. */
  async colour(seat: Seat): Promise<string> {
    return this.watch(seat, '');
  }

  /** When the colour of a seat is first seen to be another one: milliseconds since 1970. */
  async changes(seat: Seat, from: string): Promise<number> {
    return Number(await this.watch(seat, from));
  }

  private async watch(seat: Seat, from: string): Promise<string> {
    const seats = this.page.locator('.map canvas').first();
    return seats.evaluate(
      async (canvas: HTMLCanvasElement, [at, from]) => {
        const context = canvas.getContext('2d')!;
        const look = () => {
          const ratio = canvas.width / canvas.clientWidth;
          return context.getImageData(at.x * ratio, at.y * ratio, 1, 1).data.join(' ');
        };
        const latest = Date.now() + 10_000;
        while (from && look() === from && Date.now() < latest) await new Promise(requestAnimationFrame);
        return from ? String(Date.now()) : look();
      },
      [this.camera.at(seat), from] as const,
    );
  }

  async click(seat: Seat): Promise<void> {
    const on = await this.place(this.camera.at(seat));
    await this.page.mouse.click(on.x, on.y);
  }

  /** Some frames pass, so that what was asked for is drawn. */
  async frames(count = 3): Promise<void> {
    await this.page.evaluate(async (count) => {
      for (let n = 0; n < count; n++) await new Promise(requestAnimationFrame);
    }, count);
  }

  words(seat: Seat): string {
    return `${seat.section}, row ${seat.row}, seat ${seat.label}`;
  }
}
