import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeGuestFolder } from '../support/ticketing/guest-folder.ts'
import { type MessyGuestList, messyGuestList } from '../support/ticketing/messy-guest-list.ts'
import { type Figure, percentile, printFigures, shownTime } from './figures.ts'
import { startOurs } from './programs.ts'

// How long a guest list takes to import, and how long scans take meanwhile. `node test/bench/import.ts 100000` for as
// many rows as that.

const cli = fileURLToPath(new URL('../../server/cli.ts', import.meta.url))

/** Runs the import to its end; seconds. */
function bring(file: string, folder: string): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [cli, 'import', 'csv', file, '--data', folder, '--json'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    // 2: some rows of a messy list are refused, as they should be.
    child.once('exit', (code) =>
      code === 2
        ? resolve((performance.now() - began) / 1000)
        : reject(new Error(`The import ended with ${code}.`)),
    )
  })
}

async function withFolder<T>(work: (folder: string, list: number) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-import-'))
  try {
    return await work(folder, (await makeGuestFolder(folder)).list)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Seconds that an import takes with nobody else there. */
const alone = (file: string): Promise<number> => withFolder((folder) => bring(file, folder))

/** Times of scans, one after the other, while another process imports; and seconds that the import takes then. */
const beside = (file: string, codes: readonly string[]) =>
  withFolder(async (folder, list) => {
    const server = await startOurs(folder)
    const times: number[] = []
    let done = false
    const importing = bring(file, folder).finally(() => {
      done = true
    })
    while (!done) {
      const secret = codes[times.length % codes.length]
      const began = performance.now()
      const answer = await fetch(
        `http://127.0.0.1:${server.port}/api/v1/organizers/acme/checkinrpc/redeem/`,
        {
          method: 'POST',
          headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
          body: JSON.stringify({ secret, lists: [list] }),
        },
      )
      await answer.arrayBuffer()
      times.push(performance.now() - began)
    }
    await server.stop()
    return { times, seconds: await importing }
  })

const ticketsOf = ({ guests }: MessyGuestList): number =>
  guests.reduce((sum, { quantity }) => sum + quantity, 0)

/** Measures the import of a list of as many rows. */
async function measureImport(rows: number): Promise<Figure[]> {
  const messy = messyGuestList(1, rows)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-list-'))
  const file = join(folder, 'list.csv')
  await writeFile(file, messy.bytes)
  const codes = messy.guests.flatMap(({ code }) => code ?? [])
  const quiet = await alone(file)
  const { times, seconds } = await beside(file, codes)
  await rm(folder, { recursive: true })
  const per = (took: number): string => `${took.toFixed(1)} s`
  const plain = { against: '', ratio: null, goal: null }
  return [
    {
      what: `import of ${rows} rows, ${ticketsOf(messy)} tickets`,
      ours: per(quiet),
      against: '60 s',
      ratio: quiet / 60,
      goal: { atMost: 1 },
    },
    { ...plain, what: 'the same beside a server that scans', ours: per(seconds) },
    { ...plain, what: `scans meanwhile (${times.length}), p50`, ours: shownTime(percentile(times, 0.5)) },
    { ...plain, what: 'scans meanwhile, p99', ours: shownTime(percentile(times, 0.99)) },
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  printFigures(await measureImport(Number(process.argv[2] ?? 100_000)))
