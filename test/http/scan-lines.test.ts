import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { engines } from '../support/engines/engines.ts'
import { keepLog } from '../support/servers/log-lines.ts'
import { startPair, until } from '../support/servers/nodes.ts'

/** What a ticket is called in logs, as `sha256sum` shows it. */
const named = (code: string): string => createHash('sha256').update(code).digest('hex').slice(0, 16)

for (const { name, open } of engines)
  describe(`what the logs say of a ticket, on ${name}`, () => {
    it('is when it was scanned and where, and what came of it, at a station and at the central server', async () => {
      const own = keepLog()
      const above = keepLog()
      const { central, station, venue } = await startPair(
        ['planted-a', 'planted-b'],
        { log: own.log },
        await open(),
        above.log,
      )
      const first = await station.scan('planted-a')
      await station.scan('planted-a')
      await station.scan('planted-unknown')
      await until('the scans are reported', () => reported().length === 3)
      const undone = await station.call('POST', '/api/v1/station/undo/', { nonce: first.nonce })
      assert.equal(undone.status, 200)
      await until('that is reported', () => of(above.lines, 'undone scan reported').length === 1)
      const direct = await central.call('POST', `${central.org}/checkinrpc/redeem/`, {
        secret: 'planted-b',
        lists: [venue.list],
      })
      assert.equal(direct.status, 201)

      function reported() {
        return of(above.lines, 'scan reported')
      }
      const short = (line: Readonly<Record<string, unknown>>) => [
        line.code,
        line.type,
        line.result,
        line.reason,
      ]
      const expected = [
        [named('planted-a'), 'entry', 'ok', undefined],
        [named('planted-a'), 'entry', 'error', 'already_redeemed'],
        [named('planted-unknown'), 'entry', 'error', 'invalid'],
      ]
      assert.deepEqual(of(own.lines, 'scan').map(short), expected)
      assert.deepEqual(reported().map(short), expected)
      assert.deepEqual(
        reported().map(({ list }) => list),
        [venue.list, venue.list, venue.list],
      )
      assert.deepEqual(of(above.lines, 'scan').map(short), [[named('planted-b'), 'entry', 'ok', undefined]])
      // By this number it is known which scan was undone.
      const nonces = [...of(own.lines, 'scan undone'), ...of(above.lines, 'undone scan reported')]
      assert.deepEqual(
        nonces.map(({ nonce }) => nonce),
        [first.nonce, first.nonce],
      )
      assert.equal(of(own.lines, 'scan')[0]?.nonce, first.nonce)
      assert.equal(reported()[0]?.nonce, first.nonce)
      assert.ok(!JSON.stringify([own.lines, above.lines]).includes('planted'))
      await station.close()
      await central.close()
    })
  })

const of = <Line extends Readonly<Record<string, unknown>>>(lines: readonly Line[], event: string): Line[] =>
  lines.filter((line) => line.event === event)
