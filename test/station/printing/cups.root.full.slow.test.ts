import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { choose } from '../../browser/support/entrance.ts'
import { type Station, startStation } from '../../browser/support/station.ts'
import { resultsOf } from '../../support/servers/asking.ts'
import { until } from '../../support/servers/nodes.ts'
import { type OwnCups, startCups } from './own-cups.ts'
import { type PrinterSimulator, startPrinter } from './printer-simulator.ts'

const prints = '/api/v1/station/prints/'

describe("a station that prints at Debian's CUPS", function () {
  this.timeout(120_000)
  let cups: OwnCups
  let printer: PrinterSimulator
  let station: Station
  before(async () => {
    printer = await startPrinter()
    cups = await startCups()
    cups.addQueue('Badges', printer.port)
    station = await startStation('demo')
    await choose(station, 'Main entrance', {
      printers: [{ way: 'ipp', address: cups.addressOf('Badges'), documents: ['badge'] }],
    })
  })
  after(async () => {
    await station?.close()
    await cups?.close()
    await printer?.close()
  })

  const print = (id: string) => station.call('POST', prints, { id, document: 'test' })
  const become = (id: string, state: string, reason: string | null = null) =>
    until(`${id} is ${state}`, async () => {
      const job = (await station.call('GET', `${prints}${id}/`)).body as RowData
      return job.state === state && job.reason === reason
    })
  const troubles = async () =>
    resultsOf((await station.call('GET', '/api/v1/station/printers/')).body as RowData).map(
      ({ trouble }) => trouble,
    )

  it('sends its pages through the queue to the printer', async () => {
    await print('print-01')
    await become('print-01', 'printed')
    await until('it is on paper', () => printer.papers.length === 1)
    assert.match(printer.papers[0] ?? '', /^%PDF-[\s\S]*%%EOF\s*$/)
    assert.deepEqual(await troubles(), [null])
  })

  it('says that the queue is stopped, waits, and prints once it goes on', async () => {
    for (const [index, [stop, go]] of [
      ['cupsdisable', 'cupsenable'],
      ['cupsreject', 'cupsaccept'],
    ].entries()) {
      assert.ok(stop && go)
      const papers = printer.papers.length
      cups.run(stop, '-r', 'Out of labels', 'Badges')
      const id = `stopped-${index}`
      await print(id)
      await become(id, 'waiting', 'stopped')
      assert.deepEqual(await troubles(), ['stopped'])
      cups.run(go, 'Badges')
      await become(id, 'printed')
      await until('it is on paper', () => printer.papers.length === papers + 1)
    }
  })

  it('has nothing on paper of what it would send to a queue that is not there any more', async () => {
    const papers = printer.papers.length
    cups.run('lpadmin', '-x', 'Badges')
    await print('print-gone')
    await become('print-gone', 'waiting', 'unreachable')
    cups.addQueue('Badges', printer.port)
    await become('print-gone', 'printed')
    await until('it is on paper', () => printer.papers.length === papers + 1)
  })
})
