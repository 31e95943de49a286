import assert from 'node:assert/strict'
import { tcpTransport } from '../../../../server/station/printing/transports/tcp.ts'
import { type PrinterSimulator, startPrinter } from '../printer-simulator.ts'
import { placeOf, printout, worldWith } from './printout.ts'

describe('printers at a port of the network', () => {
  let printer: PrinterSimulator
  const world = worldWith()
  beforeEach(async () => {
    printer = await startPrinter()
  })
  afterEach(() => printer.close())
  const place = () => placeOf('tcp', `127.0.0.1:${printer.port}`)
  const large = 'x'.repeat(200_000)

  it('that hang up in the middle of a long document leave it unknown at once', async () => {
    printer.behaviour = 'breaks-off'
    assert.deepEqual(await tcpTransport.print(world, place(), printout(large)), {
      ...{ kind: 'unknown', reason: 'broken-off' },
    })
    assert.equal(printer.connections, 1)
  })

  it('take a long document in pieces, whole', async () => {
    assert.deepEqual(await tcpTransport.print(world, place(), printout(large)), { kind: 'printed' })
    while (printer.papers.length === 0) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(printer.papers.join('').length, large.length)
  })
})
