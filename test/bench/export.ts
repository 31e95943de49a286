import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { crowdSecret } from '../support/ticketing/ticket-crowd.ts'
import { type Figure, percentile, printFigures, shownTime } from './figures.ts'
import { buildVenue, type Venue } from './venue.ts'

// Exports a million tickets while people are admitted. Not part of the other measurements: run it with
// `node test/bench/export.ts [tickets]`.

const count = Number(process.argv[2] ?? 1_000_000)
/** Milliseconds between two scans: fifty a second are more than thirty entrances make. */
const every = 20
const usualScans = 1500

interface Ran {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

async function startServer(folder: string): Promise<Ran> {
  const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url))
  const child = spawn(process.execPath, [cli, 'serve', '--data', folder, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = (): boolean => child.kill('SIGKILL')
  process.on('exit', kill)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: JSON.parse(String(line)).url,
    pid: child.pid ?? 0,
    async stop() {
      process.off('exit', kill)
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const headers = { Authorization: 'Token all', 'Content-Type': 'application/json' }

/** The most memory that a program has had since it was asked last, and what it has, in mebibytes (Linux). */
async function memoryOf(pid: number): Promise<{ peak: number; now: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const mebibytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { peak: mebibytes('VmHWM'), now: mebibytes('VmRSS') }
}

/** Scans at a steady pace until it is told to stop; how long each took. */
function scanning(venue: Venue, url: string, first: number) {
  const times: number[] = []
  const open = new Set<Promise<void>>()
  let isOver = false
  async function scan(index: number): Promise<void> {
    const code = crowdSecret(venue.prefix, index)
    const begun = performance.now()
    const answer = await fetch(`${url}/api/v1/organizers/acme/checkinrpc/redeem/`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ secret: code, lists: [venue.list], nonce: `export-${index}` }),
    })
    await answer.arrayBuffer()
    times.push(performance.now() - begun)
    if (answer.status !== 201) throw new Error(`A scan was answered with ${answer.status}.`)
  }
  async function go(): Promise<void> {
    const begun = performance.now()
    for (let sent = 0; !isOver; sent += 1) {
      const one = scan(first + sent)
      open.add(one)
      void one.finally(() => open.delete(one))
      await pause(Math.max(0, begun + (sent + 1) * every - performance.now()))
    }
    await Promise.all(open)
  }
  const going = go()
  return {
    times,
    async stop() {
      isOver = true
      await going
      return times
    },
  }
}

interface Exported {
  readonly took: number
  /** The most memory until it was written, before it was sent. */
  readonly written: number
  readonly bytes: number
}

async function exportAll({ url, pid }: Ran, identifier: string, wishes: object): Promise<Exported> {
  const begun = performance.now()
  const base = `${url}/api/v1/organizers/acme/events/gala/exporters/${identifier}/`
  const asked = await fetch(`${base}run/`, { method: 'POST', headers, body: JSON.stringify(wishes) })
  const { download } = (await asked.json()) as { download: string }
  for (;;) {
    const answer = await fetch(download, { headers })
    if (answer.status === 200) {
      const took = performance.now() - begun
      const { peak } = await memoryOf(pid)
      let bytes = 0
      for await (const chunk of answer.body ?? []) bytes += chunk.length
      return { took, bytes, written: peak }
    }
    const text = await answer.text()
    if (answer.status !== 409) throw new Error(`The export was answered with ${answer.status}: ${text}`)
    await pause(1000)
  }
}

console.log(`Filling a venue with ${count} tickets …`)
const venue = await buildVenue(count)
const figures: Figure[] = []
for (const [identifier, wishes] of [
  ['orderlist', { _format: 'xlsx' }],
  ['orderlist', { _format: 'positions:default' }],
  ['checkinlist', { _format: 'csv-excel', list: venue.list, sort: 'name' }],
  ['json', {}],
] as const) {
  const name = `${identifier} ${'_format' in wishes ? wishes._format : ''}`.trim()
  // A new program for each, whose memory is all of this export's.
  const server = await startServer(venue.folder)
  const first = figures.length * Math.floor(count / 12)
  const warm = scanning(venue, server.url, first)
  while (warm.times.length < usualScans) await pause(50)
  const usual = (await warm.stop()).slice(usualScans / 3)
  const before = await memoryOf(server.pid)
  const busy = scanning(venue, server.url, first + 2 * usualScans)
  const { took, bytes, written } = await exportAll(server, name.split(' ')[0] ?? '', wishes)
  const meanwhile = await busy.stop()
  const { peak } = await memoryOf(server.pid)
  await server.stop()
  const more: readonly Figure[] = [
    {
      what: `${name}: memory at most, written and sent, against before`,
      ours: `${written.toFixed(0)}, ${peak.toFixed(0)} MiB`,
      against: `${before.now.toFixed(0)} MiB`,
      ratio: peak / 300,
      goal: { atMost: 1 },
    },
    {
      what: `${name}: scans meanwhile, against usual: p50, p99`,
      ours: `${shownTime(percentile(meanwhile, 0.5))}, ${shownTime(percentile(meanwhile, 0.99))}`,
      against: `${shownTime(percentile(usual, 0.5))}, ${shownTime(percentile(usual, 0.99))}`,
      ratio: percentile(meanwhile, 0.99) / percentile(usual, 0.99),
      goal: null,
    },
    {
      what: `${name}: time, size`,
      ours: `${(took / 1000).toFixed(1)} s, ${(bytes / 2 ** 20).toFixed(0)} MiB`,
      against: '',
      ratio: null,
      goal: null,
    },
  ]
  printFigures(more)
  figures.push(...more)
}
await venue.clean()
console.log('\nAll of it:')
printFigures(figures)
