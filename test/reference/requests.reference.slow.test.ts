import assert from 'node:assert/strict'
import { seed } from '../support/mocha/chance.ts'
import { runAgainst } from './run.ts'

const requests = Number(process.env.GATEHOUSE_REFERENCE_REQUESTS ?? 20_000)

describe(`${requests} requests to the reference and to us`, function () {
  this.timeout(requests * 500)

  it('are answered alike, or differ for a reason that the table names', async () => {
    const url = process.env.GATEHOUSE_REFERENCE_URL
    assert.ok(url, 'GATEHOUSE_REFERENCE_URL says where the reference answers')
    const first = Number(process.env.GATEHOUSE_REFERENCE_FIRST ?? 0)
    const found = new Map<string, string>()
    await runAgainst(url, { requests, seed, first }, (stage) => {
      for (const { exchange, difference } of stage.unexplained()) {
        const { at, kind, ours, theirs } = difference
        const shown = JSON.stringify({ path: exchange.path, body: exchange.body, ours, theirs })
        found.set(`${exchange.operation} ${at} ${kind}`, shown.slice(0, 500))
      }
    })
    assert.deepEqual([...found], [])
  })
})
