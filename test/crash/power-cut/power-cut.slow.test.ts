import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { openData, openDatabase } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import { amount } from '../../support/mocha/amount.ts'
import { addEvent, addOrganizer } from '../../support/servers/servers.ts'
import { seeded } from '../../support/ticketing/messy-guest-list.ts'
import { addItem, addList, addOrder } from '../../support/ticketing/tickets.ts'
import { type Image, imagesOf } from './disk.ts'
import { readTrace, type Step } from './trace.ts'

const writer = fileURLToPath(new URL('writer.ts', import.meta.url))
const file = 'gatehouse.sqlite'
const tickets = 400
const images = amount(500, 20)

/** What an image that was opened again says. */
interface Found {
  readonly damaged: boolean
  /** Acknowledged codes that are gone. */
  readonly lost: number
}

describe('a station whose power is cut while it scans', function () {
  this.timeout(900_000)
  let folder: string
  let list: number

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-power-'))
    const database = await openDatabase(join(folder, 'first'))
    const transactions = await openData(database, realEnv)
    await transactions.write(async (tx) => {
      const place = { organizer: await addOrganizer(tx, 'acme'), event: 0 }
      const at = { ...place, event: await addEvent(tx, place.organizer, 'gala') }
      assert.equal(place.organizer, 1)
      const item = await addItem(tx, at, 'Ticket')
      list = await addList(tx, at, 'Main')
      const positions = Array.from({ length: tickets }, (_, index) => ({ item, secret: `cut-${index}` }))
      await addOrder(tx, at, positions)
    })
    await transactions.release()
    // A station below another node, so that each decision writes its fact as well.
    await database.script('UPDATE node SET site = 1;\n')
    await database.script('PRAGMA wal_checkpoint(TRUNCATE);\n')
    await database.close()
  })
  after(() => rm(folder, { recursive: true }))

  /** Runs the writer under a trace of its writing. */
  async function record(level: 'FULL' | 'NORMAL'): Promise<Step[]> {
    const own = join(folder, level)
    await mkdir(own)
    await copyFile(join(folder, 'first', file), join(own, file))
    const trace = join(own, 'trace')
    const calls = 'trace=pwrite64,write,fsync,fdatasync,ftruncate'
    const program = [process.execPath, writer, own, join(own, 'acknowledged'), list, tickets, level].map(
      String,
    )
    const child = spawn('strace', ['-f', '-y', '-xx', '-s', '100000', '-e', calls, '-o', trace, ...program], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (part) => {
      errors += String(part)
    })
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', resolve)
    })
    assert.equal(code, 0, errors)
    return readTrace(trace, 'acknowledged')
  }

  async function open(image: Image, at: string): Promise<Found> {
    await rm(at, { recursive: true, force: true })
    await mkdir(at)
    for (const [name, content] of image.files) await writeFile(join(at, name), content)
    const database = new Sqlite(join(at, file))
    try {
      if (database.pragma('integrity_check', { simple: true }) !== 'ok') return { damaged: true, lost: 0 }
      const codes = database.prepare('SELECT raw_barcode FROM checkin').pluck().all() as string[]
      const facts = database
        .prepare("SELECT json_extract(payload, '$.row.raw_barcode') FROM outbox WHERE state = 'waiting'")
        .pluck()
        .all() as string[]
      // A decision and its fact are there together or not at all.
      assert.deepEqual(facts.sort(), codes.sort())
      const stored = new Set(codes)
      assert.equal(stored.size, codes.length)
      return { damaged: false, lost: image.acknowledged.filter((code) => !stored.has(code)).length }
    } finally {
      database.close()
    }
  }

  async function cut(level: 'FULL' | 'NORMAL', images: number): Promise<Found[]> {
    const steps = await record(level)
    const before = new Map([[file, await readFile(join(folder, 'first', file))]])
    const draw = seeded(5)
    const cuts = Array.from({ length: images }, () => Math.floor(draw() * steps.length)).sort((a, b) => a - b)
    assert.equal(steps.filter((step) => step.kind === 'said').length, tickets)
    const found: Found[] = []
    for (const image of imagesOf(steps, before, cuts, draw))
      found.push(await open(image, join(folder, 'image')))
    assert.equal(found.length, images)
    return found
  }

  it(`finds every scan it acknowledged in all of ${images} images of its disk`, async () => {
    const found = await cut('FULL', images)
    assert.equal(found.filter((one) => one.damaged).length, 0)
    assert.equal(found.filter((one) => one.lost > 0).length, 0)
  })

  it('would lose acknowledged scans without synchronous=FULL, so the test can tell', async () => {
    const images = amount(100, 10)
    const found = await cut('NORMAL', images)
    assert.equal(found.filter((one) => one.damaged).length, 0)
    assert.ok(found.filter((one) => one.lost > 0).length > images / 10)
  })
})
