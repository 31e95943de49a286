import assert from 'node:assert/strict'
import { choose } from '../../browser/support/entrance.ts'
import { type Station, startStation } from '../../browser/support/station.ts'
import { until } from '../../support/servers/nodes.ts'
import { type PrinterSimulator, startPrinter } from './printer-simulator.ts'

const prints = '/api/v1/station/prints/'

describe('a station that is killed while it prints', function () {
  this.timeout(60_000)
  let station: Station
  let printer: PrinterSimulator
  before(async () => {
    printer = await startPrinter()
    station = await startStation('demo')
    await choose(station, 'Main entrance', {
      printers: [{ address: `127.0.0.1:${printer.port}`, documents: ['badge'] }],
    })
  })
  after(async () => {
    await station?.close()
    await printer?.close()
  })

  const print = (id: string) => station.call('POST', prints, { id, document: 'test' })
  const stateOf = async (id: string) =>
    (await station.call('GET', `${prints}${id}/`)).body as { state: string; reason: string | null }
  const become = (id: string, state: string) =>
    until(`${id} is ${state}`, async () => (await stateOf(id)).state === state)

  it('asks afterwards what is on paper of what it was sending, and prints what waited', async () => {
    printer.behaviour = 'stalls'
    await print('print-01')
    await become('print-01', 'sending')
    await print('print-02')
    assert.equal((await stateOf('print-02')).state, 'waiting')
    await station.kill()
    printer.behaviour = 'prints'
    const papers = printer.papers.length
    station = await station.restart()
    await become('print-02', 'printed')
    assert.deepEqual(
      [(await stateOf('print-01')).state, (await stateOf('print-01')).reason],
      ['unknown', 'restarted'],
    )
    await until('one paper more is out', () => printer.papers.length > papers)
  })
})
