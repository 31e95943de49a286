import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { giftCard } from '../../../schema/resources/payments/gift-card.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import {
  countOf,
  followed,
  makeDevice,
  openVenue,
  startNode,
  type TestNode,
  until,
} from '../../support/servers/nodes.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

describe('a station whose copy is from before its profile was given less', () => {
  let folder: string
  let central: TestServer
  let station: TestNode | undefined
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'narrower-'))
    central = await startTestServer()
  })
  afterEach(async () => {
    await station?.close()
    await central.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('goes on scanning, reports what it did, and then holds nothing more of the rest', async () => {
    const venue = await openVenue(central, ['A', 'B'])
    const device = await makeDevice(central, 'North', { security_profile: 'scan' })
    const secret = 'card-from-before'
    let node = await startNode({ database: folder })
    station = node
    await node.join(central.url, String(device.initialization_token))
    await followed(node)
    await node.setUp(venue.list)
    await node.transactions.write(async (tx) => {
      const place = { organizer: central.organizer, event: 0 }
      const card = { ...blankRow(giftCard), id: tx.nextId(), secret, currency: 'EUR', value: '50.00' }
      await insertRow(tx, giftCard, place, card)
      const { cursor } = (await tx.get<{ cursor: string }>(sql`SELECT "cursor" FROM upstream`)) ?? {}
      const former = String(cursor).replace(/^[^;]+/, 'whole')
      await tx.run(sql`UPDATE upstream SET "cursor" = ${former} WHERE id = 1`)
    })
    await node.close()
    // What happens now is what an updated program finds on the disk.
    node = await startNode({ database: folder })
    station = node
    assert.equal((await node.scan('A')).status, 'ok')
    await until('another copy is in use', async () => (await countOf(node, 'gift_card')) === 0)
    assert.equal((await node.scan('A')).reason, 'already_redeemed')
    assert.equal((await node.scan('B')).status, 'ok')
    await until('everything is reported', async () => (await countOf(central.running, 'checkin')) >= 3)
    await node.close()
    station = undefined
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    const holding = files.filter(
      (one) => one.isFile() && readFileSync(join(one.parentPath, one.name), 'latin1').includes(secret),
    )
    assert.deepEqual(
      holding.map(({ name }) => name),
      [],
    )
  })
})
