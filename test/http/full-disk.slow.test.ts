import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { quota } from '../../schema/resources/catalogue/quota.ts'
import { blankRow } from '../../server/resource/defaults.ts'
import { insertRow } from '../../server/resource/store.ts'
import { openDoor } from '../routes/checkin/checkin-door.ts'
import { openFile } from '../support/engines/sqlite-image.ts'
import type { Answer } from '../support/servers/servers.ts'

/** So many are sold and scanned: enough to need new pages in every table and index. */
const count = 24

/** A server whose disk has exactly as much room as its database needs, and gets one page more at a time. */
async function openTight() {
  const door = await openDoor(await openFile())
  const codes = Array.from({ length: count }, (_, index) => `ticket ${index}`)
  for (const code of codes) await door.sell(code)
  const values = { name: 'House', size: 1000, items: [door.item], variations: [] }
  await door.write((tx) =>
    insertRow(tx, quota, door.place, { ...blankRow(quota), ...values, id: tx.nextId() }),
  )
  const row = await door.database.get<{ page_count: number }>(sql`PRAGMA page_count`)
  let room = row?.page_count ?? 0
  let refused = 0
  const limit = (): Promise<void> => door.database.script(`PRAGMA max_page_count = ${room};`)
  await limit()

  /** Asks as often as it is refused for want of room, with one page more each time. */
  async function insist(ask: () => Promise<Answer>, nothingDone: () => Promise<void>): Promise<Answer> {
    for (;;) {
      const answer = await ask()
      if (answer.status !== 507) return answer
      refused += 1
      assert.match(JSON.stringify(answer.body), /disk .*full.*nothing of this request was stored/)
      await nothingDone()
      room += 1
      await limit()
    }
  }
  return { door, codes, insist, refused: () => refused }
}

describe('a disk that is full at any point of a request', () => {
  it('sells once what is repeated with its key as room comes', async () => {
    const { door, insist, refused } = await openTight()
    const { server, database, item } = door
    const sold = (email: string) =>
      database.all<{ code: string; status: string }>(
        sql`SELECT o.code, o.status FROM orders o
            JOIN order_position p ON p.organizer = o.organizer AND p.order_id = o.id
            JOIN order_payment t ON t.organizer = o.organizer AND t.order_id = o.id
            WHERE o.email = ${email}`,
      )
    for (let index = 0; index < count; index += 1) {
      const key = `sale-${index}@sale.example`
      const body = { email: key, status: 'p', payment_provider: 'manual', positions: [{ item }] }
      const ask = () => server.call('POST', `${server.ev}/orders/`, body, { 'X-Idempotency-Key': key })
      const answer = await insist(ask, async () => assert.deepEqual(await sold(key), []))
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      const { code } = answer.body as { code: string }
      const again = await ask()
      assert.deepEqual([again.status, again.body], [201, answer.body])
      assert.deepEqual(await sold(key), [{ code, status: 'p' }])
    }
    assert.ok(refused() >= 10, `${refused()} refused`)
    await server.close()
  })

  it('admits once what is repeated with its nonce as room comes', async () => {
    const { door, codes, insist, refused } = await openTight()
    const { server, database } = door
    const admitted = (nonce: string) =>
      database.all(sql`SELECT id FROM checkin WHERE nonce = ${nonce} AND successful = 1`)
    for (const code of codes) {
      const nonce = `nonce of ${code}`
      const ask = () => door.redeem(code, { nonce })
      const answer = await insist(ask, async () => assert.deepEqual(await admitted(nonce), []))
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      assert.equal((await ask()).status, 201)
      assert.equal((await admitted(nonce)).length, 1)
    }
    assert.ok(refused() > 0, `${refused()} refused`)
    await server.close()
  })
})
