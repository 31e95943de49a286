import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { fileIn } from '../../server/data-address.ts'
import { prepareFolder } from '../support/engines/sqlite-image.ts'
import { noteGoodAgain, noteLost } from './restoring.ts'
import { openRunRecord, type RunRecord } from './run-record.ts'

/** What a disk holds: nonces of scans in its outbox and in its quarantine. */
interface Held {
  readonly outbox?: readonly string[]
  readonly quarantine?: readonly string[]
}

describe('what went with a disk that was put back', () => {
  let folder: string
  let empty: Buffer

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-restoring-'))
    await prepareFolder(folder)
    const database = new Sqlite(fileIn(folder), { readonly: true })
    empty = database.serialize()
    database.close()
  })

  after(() => rm(folder, { recursive: true }))

  function diskWith({ outbox = [], quarantine = [] }: Held): Buffer {
    const database = new Sqlite(empty)
    try {
      for (const [index, nonce] of outbox.entries())
        database
          .prepare(
            `INSERT INTO outbox (seq, nonce, organizer, event, kind, payload, site, site_seq, device_time, boot, mono, state, attempts)
             VALUES (?, ?, 1, 1, 'checkin', ?, 2, ?, '', '', 0, 'done', 1)`,
          )
          .run(index + 1, `fact ${nonce}`, JSON.stringify({ row: { nonce } }), index + 1)
      for (const nonce of quarantine)
        database
          .prepare(
            `INSERT INTO quarantine (organizer, nonce, device, received, fact, state) VALUES (1, ?, 2, '', ?, 'waiting')`,
          )
          .run(`fact ${nonce}`, JSON.stringify({ fact: { payload: { row: { nonce } } }, clock: {} }))
      return database.serialize()
    } finally {
      database.close()
    }
  }

  /** Puts the disk of a machine back to one with nothing on it, while a station holds what it holds. */
  function putBack(machine: string, lost: Held, station: Held): RunRecord {
    const record = openRunRecord([])
    const machines = new Map([
      [machine, { copy: () => diskWith(lost) }],
      ['station1', { copy: () => diskWith(station) }],
    ])
    noteLost({ world: { machines, timeline: { now: 0 } }, record }, machine, diskWith(lost), diskWith({}))
    return record
  }

  for (const machine of ['central', 'hub1']) {
    it(`is what waited in quarantine on ${machine}, reported by a device that has forgotten it since`, () => {
      const { gone } = putBack(machine, { quarantine: ['a', 'b'] }, {})
      assert.deepEqual([...gone], ['a', 'b'])
    })

    it(`is not what waited in quarantine on ${machine} where the device can still tell of it`, () => {
      const { gone } = putBack(machine, { quarantine: ['a', 'b'] }, { outbox: ['b'] })
      assert.deepEqual([...gone], ['a'])
    })
  }

  it('is not what another server has in quarantine', () => {
    const { gone } = putBack('hub1', { outbox: ['a', 'b'] }, { quarantine: ['a'] })
    assert.deepEqual([...gone], ['b'])
  })
})

describe('codes that are good again', () => {
  /** A disk with some codes of tickets, and some revoked ones. */
  function diskWith(current: readonly string[], revoked: readonly string[]): Buffer {
    const database = new Sqlite(':memory:')
    try {
      database.exec('CREATE TABLE order_position (secret TEXT); CREATE TABLE revoked_secret (secret TEXT)')
      for (const code of current) database.prepare('INSERT INTO order_position VALUES (?)').run(code)
      for (const code of revoked) database.prepare('INSERT INTO revoked_secret VALUES (?)').run(code)
      return database.serialize()
    } finally {
      database.close()
    }
  }

  it('are those that were revoked since the copy of the disk was made', () => {
    const record = openRunRecord([])
    noteGoodAgain(
      record,
      diskWith(['a3', 'b2', 'c'], ['a', 'a2', 'b']),
      diskWith(['a2', 'b2', 'c'], ['a', 'b']),
    )
    assert.deepEqual([...record.goodAgain], ['a2'])
  })
})
