import assert from 'node:assert/strict'
import { ippTransport } from '../../../../server/station/printing/transports/ipp.ts'
import { type IppSimulator, startIpp } from '../ipp-simulator.ts'
import { placeOf, printout, worldWith } from './printout.ts'

describe('printers that speak IPP', () => {
  let printer: IppSimulator
  const world = worldWith()
  beforeEach(async () => {
    printer = await startIpp()
  })
  afterEach(() => printer.close())
  const place = () => placeOf('ipp', printer.address)
  const print = (document = printout()) => ippTransport.print(world, place(), document)

  it('are sent a page as it is, and asked until it is printed', async () => {
    assert.deepEqual(await print(), { kind: 'printed' })
    assert.deepEqual(
      printer.documents.map(({ format, bytes }) => [format, bytes.toString()]),
      [['application/pdf', '%PDF document']],
    )
  })

  it('are sent pictures where they take no pages', async () => {
    printer.formats = ['image/png']
    assert.deepEqual(await print(), { kind: 'printed' })
    assert.equal(printer.documents[0]?.format, 'image/png')
    assert.equal(printer.documents[0]?.bytes.subarray(1, 4).toString(), 'PNG')
  })

  it('are sent nothing that they do not take, or do not want now', async () => {
    printer.formats = ['image/urf']
    assert.deepEqual(await print(), { kind: 'unsent', reason: 'unfit' })
    printer.formats = ['application/pdf']
    printer.behaviour = 'has-no-paper'
    assert.deepEqual(await print(), { kind: 'unsent', reason: 'paper' })
    assert.equal(await ippTransport.look(world, place()), 'paper')
    printer.behaviour = 'is-stopped'
    assert.equal(await ippTransport.look(world, place()), 'offline')
    printer.behaviour = 'prints'
    assert.equal(await ippTransport.look(world, place()), null)
    assert.deepEqual(await print(printout('x', { wanted: false })), { kind: 'withdrawn' })
    assert.equal(printer.documents.length, 0)
  })

  it('may refuse, give up or hang up, which a person has to look at', async () => {
    for (const [behaviour, reason] of [
      ['refuses', 'unfit'],
      ['aborts', 'offline'],
      ['hangs-up', 'broken-off'],
    ] as const) {
      printer.behaviour = behaviour
      assert.deepEqual(await print(), { kind: 'unknown', reason })
    }
  })

  it('may not be there', async () => {
    const gone = place()
    await printer.close()
    assert.deepEqual(await ippTransport.print(world, gone, printout()), {
      kind: 'unsent',
      reason: 'unreachable',
    })
    assert.equal(await ippTransport.look(world, placeOf('ipp', 'http://nothing')), 'unreachable')
    printer = await startIpp()
  })
})
