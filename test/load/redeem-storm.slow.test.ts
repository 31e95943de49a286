import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import sql from 'sql-template-tag'
import { type Door, openDoor } from '../routes/checkin/checkin-door.ts'
import { engines } from '../support/engines/engines.ts'
import { amount } from '../support/mocha/amount.ts'
import { seeded } from '../support/ticketing/messy-guest-list.ts'
import { addOrder } from '../support/ticketing/tickets.ts'

const tickets = amount(500, 100)
const timesEach = 4
const connections = 64

const secretOf = (index: number): string => `storm-${index}`

/** Everything once for each time, in an order that is the same for the same seed. */
function shuffled(seed: number): string[] {
  const draw = seeded(seed)
  const codes = Array.from({ length: tickets * timesEach }, (_, index) => secretOf(index % tickets))
  for (let last = codes.length - 1; last > 0; last -= 1) {
    const other = Math.floor(draw() * (last + 1))
    const [a, b] = [String(codes[last]), String(codes[other])]
    codes[last] = b
    codes[other] = a
  }
  return codes
}

for (const engine of engines)
  describe(`a storm of scans on ${engine.name}`, function () {
    this.timeout(300_000)
    let door: Door
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    before(async () => {
      door = await openDoor(await engine.open())
      const all = Array.from({ length: tickets }, (_, index) => ({
        item: door.item,
        secret: secretOf(index),
      }))
      await door.write((tx) => addOrder(tx, door.place, all))
    })
    after(async () => {
      agent.destroy()
      await door.server.close()
    })

    const redeem = (secret: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const asking = request(
          `${door.server.url}${door.server.org}/checkinrpc/redeem/`,
          {
            method: 'POST',
            agent,
            headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
          },
          (answer) => {
            let text = ''
            answer.setEncoding('utf8')
            answer.on('data', (part) => {
              text += part
            })
            answer.on('end', () => {
              const { status, reason } = JSON.parse(text)
              resolve([answer.statusCode, status, reason].join(' ').trim())
            })
          },
        )
        asking.on('error', reject)
        asking.end(JSON.stringify({ secret, lists: [door.list] }))
      })

    it(`admits each of ${tickets} tickets once, when ${tickets * timesEach} scans come at once`, async () => {
      const codes = shuffled(2030)
      const said = await Promise.all(codes.map(redeem))
      const counts = new Map<string, number>()
      for (const one of said) counts.set(one, (counts.get(one) ?? 0) + 1)
      assert.deepEqual(Object.fromEntries(counts), {
        '201 ok': tickets,
        '400 error already_redeemed': tickets * (timesEach - 1),
      })
      const admitted = new Set(codes.filter((_, index) => said[index] === '201 ok'))
      assert.equal(admitted.size, tickets)
    })

    it('has stored each admission once, and each refusal', async () => {
      const row = await door.database.get<{ passes: number; positions: number; ordinals: number }>(
        sql`SELECT count(*) AS passes, count(DISTINCT "position") AS positions, max(ordinal) AS ordinals
            FROM checkin WHERE successful = 1`,
      )
      assert.deepEqual(row && { ...row }, { passes: tickets, positions: tickets, ordinals: 1 })
      const refused = await door.database.get<{ count: number }>(
        sql`SELECT count(*) AS count FROM checkin WHERE successful = 0 AND error_reason = 'already_redeemed'`,
      )
      assert.equal(refused?.count, tickets * (timesEach - 1))
    })

    it('has given every change its number, without gaps', async () => {
      const feed = await door.database.get<{ seq: number }>(
        sql`SELECT seq FROM feed WHERE event = ${door.place.event}`,
      )
      const changes = await door.database.get<{ count: number; last: number }>(
        sql`SELECT count(DISTINCT seq) AS count, max(seq) AS last FROM change WHERE event = ${door.place.event}`,
      )
      assert.equal(changes?.last, feed?.seq)
      assert.equal(changes?.count, feed?.seq)
    })
  })
