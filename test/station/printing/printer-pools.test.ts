import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { resultsOf } from '../../support/servers/asking.ts'
import { type Desk, openDesk } from '../desk.ts'
import { type PrinterSimulator, startPrinter } from './printer-simulator.ts'

const prints = '/api/v1/station/prints/'

describe('several printers of a station', () => {
  let desk: Desk
  let first: PrinterSimulator
  let second: PrinterSimulator
  let tickets: readonly number[]
  beforeEach(async () => {
    desk = await openDesk()
    first = await startPrinter()
    second = await startPrinter()
    tickets = [await desk.sell('secret-1'), await desk.sell('secret-2'), await desk.sell('secret-3')]
  })
  afterEach(async () => {
    await desk.close()
    await first.close()
    await second.close()
  })

  const addressOf = ({ port }: PrinterSimulator): string => `127.0.0.1:${port}`
  const setUp = async (...printers: readonly RowData[]) => {
    const answer = await desk.setUp({ printers })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer
  }
  async function ask(method: string, path: string, body?: unknown): Promise<RowData> {
    const answer = await desk.call(method, path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const print = (index: number, document = 'badge') =>
    ask('POST', prints, { id: `print-0${index}`, document, subject: tickets[index] })
  const find = (index: number) => ask('GET', `${prints}print-0${index}/`)
  /** Lets time pass in steps while it waits, at most eight seconds: what is being sent is given up after twenty. */
  async function until(index: number, isSo: (row: RowData) => boolean, step = 0): Promise<RowData> {
    for (let passed = 0; ; passed += step) {
      const row = await find(index)
      if (isSo(row)) return row
      assert.ok(['waiting', 'sending'].includes(String(row.state)), JSON.stringify(row))
      if (passed < 8000) desk.env.pass(step)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const isPrinted = ({ state }: RowData): boolean => state === 'printed'
  const isSending = ({ state }: RowData): boolean => state === 'sending'

  it('do not wait for each other', async () => {
    await setUp(
      { address: addressOf(first), documents: ['badge'] },
      { address: addressOf(second), documents: ['ticket'] },
    )
    first.behaviour = 'stalls'
    await print(0)
    await until(0, isSending)
    await print(1, 'ticket')
    assert.equal((await until(1, isPrinted)).printer, addressOf(second))
    assert.equal((await find(0)).state, 'sending')
  })

  it('keep their order, and stand in after three seconds for one that is at something else', async () => {
    const both = [{ address: addressOf(first) }, { address: addressOf(second) }]
    await setUp(...both.map((one) => ({ ...one, documents: ['badge'] })))
    first.behaviour = 'stalls'
    await print(0)
    await until(0, isSending)
    await print(1)
    await print(2)
    desk.env.pass(1000)
    assert.deepEqual([(await find(1)).state, second.connections], ['waiting', 0])
    assert.equal((await until(1, isPrinted, 500)).printer, addressOf(second))
    assert.equal((await until(2, isPrinted, 500)).printer, addressOf(second))
    assert.equal((await find(0)).state, 'sending')
  })

  it('print labels in their own languages, with a test page for each', async () => {
    const place = { address: addressOf(first), documents: ['badge'] }
    for (const [profile, begins] of [
      ['zpl-203', /\^XA/],
      ['zpl-300', /\^XA/],
      ['epl-203', /GW/],
    ] as const) {
      await setUp({ ...place, profile })
      const before = first.papers.length
      const id = `test-${profile}`
      await ask('POST', prints, { id, document: 'test', printer: place.address })
      for (let row: RowData = {}; row.state !== 'printed'; row = await ask('GET', `${prints}${id}/`))
        await new Promise((resolve) => setImmediate(resolve))
      while (first.papers.length === before) await new Promise((resolve) => setImmediate(resolve))
      assert.match(String(first.papers.at(-1)), begins)
    }
  })

  it('say in their own languages what is wrong', async () => {
    for (const profile of ['zpl-203', 'epl-203'] as const) {
      await setUp({ address: addressOf(first), profile, documents: ['badge'] })
      for (const [behaviour, trouble] of [
        ['prints', null],
        ['has-no-paper', 'paper'],
        ['is-open', 'open'],
      ] as const) {
        first.behaviour = behaviour
        const [one] = resultsOf(await ask('GET', '/api/v1/station/printers/'))
        assert.equal(one?.trouble, trouble, `${profile} ${behaviour}`)
      }
    }
  })

  it('are entered with what can be an address, and known in the words of earlier versions', async () => {
    for (const wrong of [
      { way: 'tcp', address: 'two words' },
      { way: 'tcp', address: 'host:99999' },
      { way: 'ipp', address: 'http://host/' },
      { way: 'ipp', address: 'ipp://user:word@host/' },
      { way: 'device', address: '/etc/passwd' },
      { way: 'device', address: '/dev/../etc/passwd' },
      { way: 'folder', address: 'relative' },
      {},
    ])
      assert.equal((await desk.setUp({ printers: [wrong] })).status, 400, JSON.stringify(wrong))
    const { body } = await setUp({ host: '10.0.0.5', columns: 32 })
    const { printers } = body.settings as { printers: RowData[] }
    assert.deepEqual(printers, [
      {
        ...{ way: 'tcp', address: '10.0.0.5:9100', profile: 'escpos-80', documents: ['receipt', 'closing'] },
        ...{ columns: 32, answers: true, drawer: true },
      },
    ])
  })
})
