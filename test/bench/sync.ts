import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { tableOf } from '../../schema/resource.ts'
import { resources } from '../../schema/resources/index.ts'
import type { SnapshotFrame, SnapshotHead } from '../../schema/sync.ts'
import { openData, openDatabase } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import {
  createDevice,
  createDeviceAt,
  isReported,
  join,
  linkOf,
  org,
  prepareGround,
  scan,
  setUp,
} from '../processes/support/ground.ts'
import { type Machine, openRoom, type Room, waitFor } from '../processes/support/machine.ts'
import { addQueue } from '../processes/support/queue.ts'
import { layWire } from '../processes/support/wire.ts'
import { crowdSecret, fillCrowd } from '../support/ticketing/ticket-crowd.ts'
import { type Figure, median, percentile, printFigures, shownTime } from './figures.ts'
import { memoryOf } from './programs.ts'

// What stations, a hub and central cost together. `node test/bench/sync.ts` for these figures alone.

const small = 100_000
const large = 1_000_000
const queued = 10_000
const idle = 200

const plain = { against: '', ratio: null, goal: null } as const

/** Each figure is printed as it comes, since a long run may be cut off. */
function note(figures: Figure[], ...more: readonly Figure[]): void {
  figures.push(...more)
  printFigures(more)
}

/** Central with very many tickets, running. */
async function startCentral(room: Room, count: number): Promise<{ central: Machine; list: number }> {
  const central = room.build('central')
  const { organizer, event, list } = await prepareGround(central.folder, [])
  const item = Number(central.read<{ id: number }>('SELECT max(id) AS id FROM item')[0]?.id)
  fillCrowd(central.file, { organizer, event }, { item, count, prefix: 'c' })
  await central.start()
  return { central, list }
}

/** Milliseconds of processor time that a machine has used so far. */
function processorTime(machine: Machine): number {
  const fields = readFileSync(`/proc/${machine.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Seconds until a new station holds everything. */
async function firstLoad(
  room: Room,
  central: Machine,
  name: string,
): Promise<{ machine: Machine; seconds: number }> {
  const machine = room.build(name, { screens: true })
  await machine.start()
  const device = await createDevice(central, name)
  const begun = performance.now()
  const code = JSON.stringify({ handshake_version: 1, url: central.url, token: device.initialization_token })
  await machine.call('POST', '/api/v1/station/join/', { code })
  await waitFor(
    'everything is loaded',
    async () => {
      const { upstream, loading, data_age } = await linkOf(machine)
      return upstream !== null && loading === null && data_age !== null
    },
    900,
  )
  return { machine, seconds: (performance.now() - begun) / 1000 }
}

/** Seconds that the library alone takes to parse the lines of a snapshot and to upsert their rows, and with the search. */
async function rawLoad(room: Room, central: Machine): Promise<{ rows: number; search: number }> {
  const device = await createDevice(central, 'Raw')
  const initialized = await fetch(`${central.url}/api/v1/device/initialize`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      token: device.initialization_token,
      hardware_brand: 'x',
      hardware_model: 'x',
      software_brand: 'x',
      software_version: 'x',
    }),
  })
  const { api_token: token } = (await initialized.json()) as { api_token: string }
  const answer = await fetch(`${central.url}${org}/sync/snapshot/`, {
    headers: { Authorization: `Device ${token}` },
  })
  const lines = (await answer.text()).trimEnd().split('\n')
  const folder = room.folder()
  const database = await openDatabase(folder)
  const transactions = await openData(database, realEnv)
  await transactions.release()
  await database.close()
  const file = new Sqlite(`${folder}/gatehouse.sqlite`)
  file.pragma('foreign_keys = OFF')
  file.pragma('synchronous = FULL')
  const begun = performance.now()
  const head = JSON.parse(String(lines[0])) as SnapshotHead
  const upserts = new Map(
    resources.flatMap((one) => {
      const columns = head.columns[one.name]
      if (!columns) return []
      const names = ['organizer', ...columns].map((name) => `"${name}"`)
      const text = `INSERT OR REPLACE INTO "${tableOf(one)}" (${names.join()}) VALUES (${names.map(() => '?').join()})`
      return [[one.name, file.prepare(text)] as const]
    }),
  )
  file.transaction(() => {
    for (const line of lines.slice(1, -1)) {
      const { resource, rows } = JSON.parse(line) as SnapshotFrame
      const upsert = upserts.get(resource)
      if (upsert) for (const row of rows) upsert.run(1, ...row)
    }
  })()
  const rows = (performance.now() - begun) / 1000
  file.prepare('ATTACH ? AS central').run(central.file)
  file.exec(
    'INSERT INTO position_search (rowid, names, body) SELECT rowid, names, body FROM central.position_search',
  )
  const search = (performance.now() - begun) / 1000
  file.close()
  return { rows, search }
}

/** Times of scans, one after the other with a pause between, until something is over. */
async function scansUntil(
  station: Machine,
  codes: () => string,
  over: () => Promise<boolean>,
): Promise<number[]> {
  const times: number[] = []
  while (!(await over())) {
    const code = codes()
    const begun = performance.now()
    await scan(station, code)
    times.push(performance.now() - begun)
    await new Promise<void>((resolve) => setTimeout(resolve, 10))
  }
  return times
}

/** Loading, and what scans notice of it. */
async function measureLoading(figures: Figure[]): Promise<void> {
  const room = openRoom()
  try {
    const { central, list } = await startCentral(room, small)
    const raw = [await rawLoad(room, central)]
    const first = await firstLoad(room, central, 'North')
    const loads = [first.seconds]
    raw.push(await rawLoad(room, central))
    loads.push((await firstLoad(room, central, 'South')).seconds)
    const ours = Math.min(...loads)
    const [rows, search] = [raw.map((one) => one.rows), raw.map((one) => one.search)].map((all) =>
      Math.min(...all),
    )
    const what = `first load of ${small} tickets, from the pairing code on`
    note(
      figures,
      {
        what,
        ours: `${ours.toFixed(1)} s`,
        against: `parse and upsert ${rows?.toFixed(1)} s`,
        ratio: Number(rows) / ours,
        goal: { atLeast: 0.6 },
      },
      {
        ...plain,
        what: `${what}, against rows and search`,
        ours: `${ours.toFixed(1)} s`,
        against: `${search?.toFixed(1)} s`,
        ratio: Number(search) / ours,
      },
    )
    const { machine } = first
    await setUp(machine, list)
    let next = 0
    const code = (): string => crowdSecret('c', next++)
    const usual = await scansUntil(machine, code, () => Promise.resolve(next >= 300))
    central.tamper((database) => database.prepare("UPDATE node SET epoch = epoch || 'x'").run())
    const switched = machine.log.split('new copy in use').length
    const during = await scansUntil(machine, code, () =>
      Promise.resolve(machine.log.split('new copy in use').length > switched),
    )
    const [quiet, loaded] = [usual.slice(50), during].map((times) => percentile(times, 0.99))
    note(figures, {
      what: `scan while ${small} tickets are loaded anew (${during.length} scans): p99, longest`,
      ours: `${shownTime(Number(loaded))}, ${shownTime(Math.max(...during))}`,
      against: `otherwise ${shownTime(Number(quiet))}`,
      ratio: (Number(loaded) - Number(quiet)) / 50,
      goal: { atMost: 1 },
    })
  } finally {
    await room.clear()
  }
}

/** What waits at a station, told at once. */
async function measureQueue(figures: Figure[]): Promise<void> {
  const room = openRoom()
  const { central, list } = await startCentral(room, 1000)
  const station = room.build('North', { screens: true })
  await station.start()
  const wire = await layWire(central.url)
  try {
    await join(station, wire.url, await createDevice(central, 'North'))
    await setUp(station, list)
    wire.weather = 'cut'
    await scan(station, 'nobody has this code')
    await station.stop()
    station.tamper((database) => addQueue(database, queued))
    const before = wire.asked.length
    wire.weather = 'pass'
    const begun = performance.now()
    await station.start()
    await isReported(station, 300)
    const seconds = (performance.now() - begun) / 1000
    const pushes = wire.asked.slice(before).filter((line) => /sync\/push/.test(line)).length
    note(figures, {
      what: `${queued} queued facts told, start of the station included: requests`,
      ours: `${pushes} in ${seconds.toFixed(1)} s`,
      against: '25',
      ratio: pushes / 25,
      goal: { atMost: 1 },
    })
  } finally {
    await room.clear()
    await wire.close()
  }
}

/** Milliseconds from the answer of a scan at one station until another one holds it. */
async function timesToSee(from: Machine, to: Machine, codes: readonly string[]): Promise<number[]> {
  const file = new Sqlite(to.file, { readonly: true })
  const look = file.prepare(
    'SELECT 1 FROM checkin c JOIN order_position p ON p.id = c."position" WHERE p.secret = ?',
  )
  const times: number[] = []
  for (const code of codes) {
    const begun = performance.now()
    await scan(from, code)
    while (look.get(code) === undefined) await new Promise<void>((resolve) => setTimeout(resolve, 2))
    times.push(performance.now() - begun)
  }
  file.close()
  return times
}

/** How soon a scan is known elsewhere. */
async function measureSeeing(figures: Figure[]): Promise<void> {
  const room = openRoom()
  try {
    const { central, list } = await startCentral(room, 2000)
    const hub = room.build('hub', { screens: true })
    await hub.start()
    await join(hub, central.url, await createDevice(central, 'Hub'), 'hub')
    const stationAt = async (upstream: Machine, name: string): Promise<Machine> => {
      const machine = room.build(name, { screens: true })
      await machine.start()
      const device = upstream === hub ? await createDeviceAt(hub, name) : await createDevice(central, name)
      await join(machine, upstream.url, device)
      await setUp(machine, list)
      return machine
    }
    const north = await stationAt(hub, 'North')
    const south = await stationAt(hub, 'South')
    const far = await stationAt(central, 'Far')
    const codes = Array.from({ length: 240 }, (_, index) => crowdSecret('c', index))
    await timesToSee(north, south, codes.slice(0, 20))
    const near = await timesToSee(north, south, codes.slice(20, 120))
    const through = await timesToSee(north, far, codes.slice(120, 220))
    note(
      figures,
      {
        what: 'a scan is at the other station of the same hub: p50, p99',
        ours: `${shownTime(median(near))}, ${shownTime(percentile(near, 0.99))}`,
        against: '200 ms',
        ratio: median(near) / 200,
        goal: { atMost: 1 },
      },
      {
        what: 'a scan is at a station elsewhere, through hub and central: p50, p99',
        ours: `${shownTime(median(through))}, ${shownTime(percentile(through, 0.99))}`,
        against: '1 s',
        ratio: median(through) / 1000,
        goal: { atMost: 1 },
      },
    )
  } finally {
    await room.clear()
  }
}

/** Stations that have nothing to do: a stream and a sign of life every three seconds each. */
async function measureIdle(figures: Figure[]): Promise<void> {
  const room = openRoom()
  const sockets: ReturnType<typeof connect>[] = []
  const timers: NodeJS.Timeout[] = []
  try {
    const central = room.build('central')
    const { organizer } = await prepareGround(central.folder, ['A'])
    const { addDevice } = await import('../support/ticketing/tickets.ts')
    const database = await openDatabase(central.folder)
    const transactions = await openData(database, realEnv)
    await transactions.write(async (tx) => {
      for (let index = 1; index <= idle; index += 1)
        await addDevice(tx, organizer, index, `idle${index}`, { site: index, site_end: index + 1 })
    })
    await transactions.release()
    await database.close()
    await central.start()
    const port = Number(new URL(central.url).port)
    const open = async (): Promise<(typeof sockets)[number]> => {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      socket.resume()
      await once(socket, 'connect')
      return socket
    }
    const ask = (path: string, token: string): string =>
      [`GET ${org}/sync/${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Device ${token}`, '', ''].join(
        '\r\n',
      )
    for (let index = 1; index <= idle; index += 1) {
      const stream = await open()
      stream.write(ask('live/', `idle${index}`))
      const pings = await open()
      const ping = (): boolean => pings.write(ask('ping/', `idle${index}`))
      timers.push(setTimeout(() => timers.push(setInterval(ping, 3000)), (3000 * index) / idle))
    }
    // Whatever is translated while it is new is not what goes on all day.
    await new Promise<void>((resolve) => setTimeout(resolve, 25_000))
    const [used, begun] = [processorTime(central), performance.now()]
    await new Promise<void>((resolve) => setTimeout(resolve, 12_000))
    const share = (processorTime(central) - used) / (performance.now() - begun)
    note(figures, {
      what: `${idle} idle stations at one central: share of a core`,
      ours: `${(share * 100).toFixed(1)} %`,
      against: '5 %',
      ratio: share / 0.05,
      goal: { atMost: 1 },
    })
  } finally {
    for (const timer of timers) clearInterval(timer)
    for (const socket of sockets) socket.destroy()
    await room.clear()
  }
}

/** Whether loading ten times as much takes more memory. */
async function measureMemory(figures: Figure[]): Promise<void> {
  const peaks: number[] = []
  for (const count of [small, large]) {
    const room = openRoom()
    try {
      const { central } = await startCentral(room, count)
      const { machine, seconds } = await firstLoad(room, central, 'North')
      peaks.push(memoryOf(machine.pid))
      note(figures, {
        ...plain,
        what: `first load of ${count} tickets: most memory at the station, at central`,
        ours: `${memoryOf(machine.pid).toFixed(0)} MB, ${memoryOf(central.pid).toFixed(0)} MB in ${seconds.toFixed(1)} s`,
      })
    } finally {
      await room.clear()
    }
  }
  const [few, many] = peaks
  note(figures, {
    what: `memory for ${large} tickets against ${small}`,
    ours: `${many?.toFixed(0)} MB`,
    against: `${few?.toFixed(0)} MB`,
    ratio: Number(many) / Number(few),
    goal: { atMost: 1.5 },
  })
}

/** Measures what stations, a hub and central cost together; printed as it comes. `whole` with a million tickets. */
export async function measureSync(whole: boolean): Promise<Figure[]> {
  const figures: Figure[] = []
  await measureSeeing(figures)
  await measureQueue(figures)
  await measureIdle(figures)
  await measureLoading(figures)
  if (whole) await measureMemory(figures)
  return figures
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measureSync(process.argv[2] === 'whole')
