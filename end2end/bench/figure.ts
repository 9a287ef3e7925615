// One line per figure, as tools/bench reads them.

/** Prints the figure; a value that does not meet the goal is a MISS, not an error. */
export function figure(name: string, value: number, unit: string, op: '<=' | '>=', goal: number, rounds = 1): void {
  const pass = op === '<=' ? value <= goal : value >= goal;
  const rounded = Number(value.toPrecision(4));
  // On a line of its own, whatever the reporter has written before.
  process.stdout.write(`\nRUNS ${name} ${rounds}\nBENCH ${name} ${rounded} ${unit} goal ${op} ${goal} ${pass ? 'PASS' : 'MISS'}\n`);
}

export function quantile(values: number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}
