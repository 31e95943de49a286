import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import {
  createDevice,
  ev,
  isReported,
  join,
  org,
  prepareGround,
  scan,
  sellAt,
  setUp,
} from '../processes/support/ground.ts'
import { type Machine, openRoom } from '../processes/support/machine.ts'
import type { AttackOrder, AttackReport, BodyAttack } from '../support/servers/body-attacks.ts'
import { crowdSecret, fillCrowd } from '../support/ticketing/ticket-crowd.ts'
import { percentile, shownTime } from './figures.ts'
import { memoryOf } from './programs.ts'

// A normal evening at central and at a station, for a time, and every other minute an attack beside it: bodies from a
// stranger, and requests that a known caller may make and that are as heavy as can be. At a low, steady rate: the question
// is what remains of it. `node test/bench/soak.ts MINUTES SECONDS`: an attack lasts so many seconds.

const minutes = Number(process.argv[2] ?? 60)
const crowd = 30_000
/** Milliseconds between two heavy requests, and between two bodies of a stranger on one connection. */
const pause = 1000
const stalledPause = 10 * pause
const phase = Number(process.argv[3] ?? 60) * 1000

const attacker = new URL('../support/servers/body-attacks.ts', import.meta.url)

/** Times of scans by what went on beside them, and answers that were none of those that are expected. */
class Notes {
  readonly #times = new Map<string, number[]>()
  readonly #answers = new Map<string, number>()
  readonly failures: string[] = []

  time(beside: string, milliseconds: number): void {
    this.#times.set(beside, [...(this.#times.get(beside) ?? []), milliseconds])
  }

  answer(what: string, status: number): void {
    const key = `${what} ${status}`
    this.#answers.set(key, (this.#answers.get(key) ?? 0) + 1)
  }

  print(): void {
    for (const [beside, times] of [...this.#times].sort())
      console.log(
        `${beside}: ${times.length} scans, p50 ${shownTime(percentile(times, 0.5))}, ` +
          `p99 ${shownTime(percentile(times, 0.99))}, longest ${shownTime(Math.max(...times))}`,
      )
    console.log([...this.#answers].map(([key, count]) => `${key}: ${count}`).join(', '))
    console.log(`${this.failures.length} failures ${this.failures.slice(0, 20).join('; ')}`)
  }
}

interface Evening {
  readonly central: Machine
  readonly station: Machine
  readonly list: number
  readonly item: number
  readonly notes: Notes
  beside: string
  isOver: boolean
}

let next = 0
const freshCode = (): string => crowdSecret('c', next++)

/** Does something again and again until the evening is over; what fails is noted. */
async function repeat(
  evening: Evening,
  { name, every, work }: { name: string; every: number; work: () => Promise<void> },
): Promise<void> {
  while (!evening.isOver) {
    const [began, beside] = [performance.now(), evening.beside]
    try {
      await work()
    } catch (cause) {
      evening.notes.failures.push(`${name} beside ${beside}: ${String(cause)}`)
    }
    await pass(Math.max(0, every - (performance.now() - began)))
  }
}

async function scanAt(evening: Evening, place: string, work: () => Promise<boolean>): Promise<void> {
  const [began, { beside }] = [performance.now(), evening]
  const isAdmitted = await work()
  evening.notes.time(`${place}, ${beside}`, performance.now() - began)
  if (!isAdmitted) throw new Error('not admitted')
}

/** What a normal evening consists of. */
function doors(evening: Evening): Promise<void>[] {
  const { central, station, list, item } = evening
  const expect = (status: number, wanted: number): void => {
    if (status !== wanted) throw new Error(`answered ${status}`)
  }
  const lists = [
    `${ev}/orders/?page_size=50`,
    `${ev}/checkinlists/${list}/positions/?search=schu`,
    `${ev}/orders/?search=tan`,
  ]
  return [
    repeat(evening, {
      name: 'scan at central',
      every: 500,
      work: () =>
        scanAt(evening, 'central', async () => {
          const body = { secret: freshCode(), lists: [list] }
          return (await central.call('POST', `${org}/checkinrpc/redeem/`, body)).status === 201
        }),
    }),
    repeat(evening, {
      name: 'scan at the station',
      every: 1000,
      work: () => scanAt(evening, 'station', async () => (await scan(station, freshCode())).status === 'ok'),
    }),
    repeat(evening, {
      name: 'sale',
      every: 5000,
      work: async () => expect((await sellAt(central, item)).status, 201),
    }),
    repeat(evening, {
      name: 'list',
      every: 5000,
      work: async () => {
        for (const path of lists) expect((await central.call('GET', path)).status, 200)
      },
    }),
  ]
}

/** Has a stranger send bodies for the length of a phase. */
async function sendBodies({ central, notes }: Evening, attack: BodyAttack): Promise<void> {
  const port = Number(new URL(central.url).port)
  const order: AttackOrder = {
    port,
    attack,
    credential: '',
    pause: attack === 'stalled' ? stalledPause : pause,
  }
  const thread = new Worker(attacker, { workerData: order })
  await once(thread, 'online')
  await pass(phase)
  const over = once(thread, 'message')
  thread.postMessage('end')
  const [report] = (await over) as [AttackReport]
  await thread.terminate()
  for (const [status, count] of Object.entries(report))
    for (let one = 0; one < count; one += 1) notes.answer(attack, Number(status))
}

const heavyRules = { and: Array.from({ length: 90_000 }, () => ({ '>': [{ var: 'entries_number' }, 1] })) }
const languages = Object.fromEntries(Array.from({ length: 400_000 }, (_, index) => [`l${index}`, 'Name']))

/** What somebody known may ask, as heavy as can be. */
const requests: Readonly<Record<string, (evening: Evening) => readonly [string, string, string?][]>> = {
  languages: ({ item }) => [['PATCH', `${ev}/items/${item}/`, JSON.stringify({ name: languages })]],
  rules: ({ list }) => [['PATCH', `${ev}/checkinlists/${list}/`, JSON.stringify({ rules: heavyRules })]],
  orders: ({ item }) => [
    ['POST', `${ev}/orders/`, JSON.stringify({ positions: Array.from({ length: 1000 }, () => ({ item })) })],
  ],
  prints: () => Array.from({ length: 20 }, () => ['GET', `${ev}/orders/?pdf_data=true`] as [string, string]),
}

/** Has somebody known make heavy requests for the length of a phase. */
async function askMuch(evening: Evening, kind: string): Promise<void> {
  const asked = requests[kind]?.(evening) ?? []
  const end = performance.now() + phase
  while (performance.now() < end) {
    const answers = await Promise.allSettled(
      asked.map(([method, path, body]) => evening.central.call(method, path, body)),
    )
    // A body that is too large is answered before all of it was sent.
    for (const one of answers) evening.notes.answer(kind, one.status === 'fulfilled' ? one.value.status : 0)
    await pass(pause)
  }
}

const attacks: readonly (readonly [name: string, run: (evening: Evening) => Promise<void>])[] = [
  ...(['escaped', 'nested', 'stalled'] as const).map(
    (attack) => [attack, (evening: Evening) => sendBodies(evening, attack)] as const,
  ),
  ...Object.keys(requests).map((kind) => [kind, (evening: Evening) => askMuch(evening, kind)] as const),
]

function printMemory(what: string, { central, station }: Evening): void {
  const [held, at] = [memoryOf(central.pid, 'VmRSS'), memoryOf(station.pid, 'VmRSS')]
  console.log(
    `${what}: central ${held.toFixed(0)} MiB (most ${memoryOf(central.pid).toFixed(0)}), station ${at.toFixed(0)} MiB`,
  )
}

async function live(evening: Evening): Promise<void> {
  const begun = performance.now()
  const minute = (): number => Math.floor((performance.now() - begun) / 60_000)
  const working = doors(evening)
  await pass(phase)
  printMemory('after a first quiet minute', evening)
  let reported = 0
  for (let turn = 0; minute() < minutes; turn += 1) {
    const [name, run] = attacks[turn % attacks.length] ?? []
    evening.beside = name ?? ''
    await run?.(evening)
    evening.beside = 'alone'
    await pass(phase)
    if (minute() - reported < 5) continue
    reported = minute()
    printMemory(`minute ${reported}`, evening)
  }
  evening.isOver = true
  await Promise.all(working)
  await pass(phase)
  printMemory('a minute after the end', evening)
}

async function soak(): Promise<void> {
  const room = openRoom()
  try {
    const central = room.build('central')
    const { organizer, event, list, item } = await prepareGround(central.folder, ['A'], 1_000_000)
    const [before] = central.read<{ id: number }>("SELECT id FROM item WHERE name LIKE '%Sold before%'")
    fillCrowd(central.file, { organizer, event }, { item: before?.id ?? item, count: crowd, prefix: 'c' })
    const station = room.build('North', { screens: true })
    await central.start()
    await station.start()
    await join(station, central.url, await createDevice(central, 'North'))
    await setUp(station, list)
    const notes = new Notes()
    const evening: Evening = { central, station, list, item, notes, beside: 'alone', isOver: false }
    await live(evening)
    await isReported(station)
    notes.print()
  } finally {
    await room.clear()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await soak()
