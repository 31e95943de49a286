import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { checkin } from '../../schema/resources/checkin/checkin.ts'
import type { SentFact } from '../../schema/sync.ts'
import { openData, openDatabase } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { blankRow } from '../../server/resource/defaults.ts'
import type { Transactions } from '../../server/resource/transactions.ts'
import { appendForwarded } from '../../server/sync/outbox/outbox.ts'
import { made, printed, refused, runCli, temporaryFolders } from '../support/servers/cli.ts'
import { addEvent, addOrganizer } from '../support/servers/servers.ts'
import { addDevice, addList } from '../support/ticketing/tickets.ts'

const folder = temporaryFolders('gatehouse outbox')
const site = 40
const moment = '2024-06-01T10:00:00.000000Z'

/** Does something with the data in a folder. */
async function inFolder<T>(data: string, work: (transactions: Transactions) => Promise<T>): Promise<T> {
  const database = await openDatabase(data)
  const transactions = await openData(database, realEnv)
  try {
    return await work(transactions)
  } finally {
    await transactions.release()
    await database.close()
  }
}

describe('export-outbox and import outbox', () => {
  const central = folder()
  const station = folder()
  const file = join(folder(), 'outbox.ndjson')
  const into = ['import', 'outbox', file, '--data', central, '--organizer']

  before(async () => {
    const { organizer, event, list, device } = await inFolder(central, ({ write }) =>
      write(async (tx) => {
        const organizer = await addOrganizer(tx, 'acme')
        await addOrganizer(tx, 'other')
        const event = await addEvent(tx, organizer, 'gala')
        const list = await addList(tx, { organizer, event }, 'Main')
        const device = await addDevice(tx, organizer, 1, 'gate', { site, site_end: site + 1 })
        return { organizer, event, list, device }
      }),
    )
    const fact = (seq: number, of = event): SentFact => ({
      nonce: `fact ${seq}`,
      kind: 'checkin',
      event: of,
      site,
      site_seq: seq,
      device,
      device_time: moment,
      mono: 0,
      boot: 'b',
      clock_offset: 0,
      payload: {
        row: {
          ...blankRow(checkin),
          id: site * 2 ** 32 + seq,
          successful: false,
          error_reason: 'invalid',
          datetime: moment,
          created: moment,
          list,
          type: 'entry',
          nonce: `scan ${seq}`,
          site,
        },
        secret: null,
      },
    })
    await inFolder(station, async ({ database }) => {
      await database.run(sql`UPDATE node SET site = ${site} WHERE id = 1`)
      await database.run(
        sql`INSERT INTO upstream (id, url, organizer, slug, device, device_name, security_profile, token, role, site, site_end, with_orders, state, settings)
            VALUES (1, 'http://127.0.0.1:9', ${organizer}, 'acme', ${device}, 'Here', 'full', 't', 'station', ${site}, ${site + 1}, 1, 'following', '{}')`,
      )
      const facts = [fact(1), fact(2), fact(3), fact(4, 4711)]
      await database.transaction((tx) => appendForwarded(tx, organizer, facts))
    })
  })

  it('carry what a station has not reported to central, once', async () => {
    const exported = await made(['export-outbox', file, '--data', station])
    assert.deepEqual([exported.organizer, exported.site], ['acme', site])
    assert.equal(statSync(file).mode & 0o077, 0, 'others may read the file')
    const first = await runCli([...into, 'acme'])
    const { facts, applied, duplicate, rejected } = printed(first)
    assert.deepEqual([facts, applied, duplicate, rejected], [4, 3, 0, 1])
    assert.equal(first.code, 2)
    assert.match(first.err, /Refused entry: There is no such event here\./)
    const again = printed(await runCli([...into, 'acme', '--json']))
    assert.deepEqual([again.applied, again.duplicate, again.rejected], [0, 3, 1])
    assert.equal((again.problems as unknown[]).length, 1)
  })

  it('refuse what cannot be done, in a sentence', async () => {
    await refused(['export-outbox', file, '--data', station], /cannot be written/)
    await refused(
      ['export-outbox', `${file}.new`, '--data', central],
      /connected to no central server or hub/,
    )
    await refused([...into, 'other'], /belongs to the organizer "acme"/)
    await refused([...into, 'nobody'], /no organizer "nobody"/)
    await refused(
      ['import', 'outbox', `${file}.none`, '--data', central, '--organizer', 'acme'],
      /cannot be read/,
    )
  })
})
