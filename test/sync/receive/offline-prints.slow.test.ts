import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { faultyNetwork } from '../../support/servers/faulty-network.ts'
import { startPair, until } from '../../support/servers/nodes.ts'

describe('a station that prints', () => {
  it('keeps what it has printed while it is offline, and tells of it when it is back', async () => {
    const network = faultyNetwork()
    const { central, station, venue } = await startPair(['A'], { env: network.env })
    try {
      const path = `${central.ev}/orderpositions/${venue.positions[0]}/printlog/`
      network.down = true
      await until('it knows that it is offline', async () => (await station.link()).state === 'alone')
      const made = await station.call('POST', path, { source: 'till', type: 'ticket', info: { copies: 2 } })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      network.down = false
      const upstream = async () =>
        (await central.call('GET', path)).body as { count: number; results: RowData[] }
      await until('it is reported', async () => (await upstream()).count === 1)
      const here = (await station.call('GET', path)).body as { results: RowData[] }
      const [known] = (await upstream()).results
      assert.deepEqual(
        [known?.id, known?.source, known?.info],
        [(made.body as RowData).id, 'till', { copies: 2 }],
      )
      assert.deepEqual(
        here.results.map(({ id }) => id),
        [known?.id],
      )
      const again = await central.call('POST', path, { source: 'office', type: 'ticket' })
      assert.equal(again.status, 201)
      await until('what is printed above comes down', async () => {
        const { body } = await station.call('GET', path)
        return (body as { count: number }).count === 2
      })
    } finally {
      await station.close()
      await central.close()
    }
  })
})
