import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../../../server/data.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { verifyTills } from '../../../server/services/drawer/verify-tills.ts'
import { ev, org, prepareGround } from '../../processes/support/ground.ts'
import { startTerminal, type TerminalSimulator } from '../../station/paying/terminal-simulator.ts'
import { amount } from '../../support/mocha/amount.ts'
import { seed } from '../../support/mocha/chance.ts'
import { resultsOf } from '../../support/servers/asking.ts'
import { temporaryFolders } from '../../support/servers/cli.ts'

const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url))
const killed = new URL('./killed-at-statement.ts', import.meta.url).href
const folders = temporaryFolders('gatehouse-till-payment')

interface Answer {
  readonly status: number
  readonly body: RowData
}

/** Every so many changes, from the one that stores the payment to the answer about the sale. */
const step = amount(3, 7)

describe('a sale with cash, a gift card and a terminal', function () {
  this.timeout(900_000)
  let folder: string
  let terminal: TerminalSimulator
  let item: number
  let child: ChildProcess | undefined
  let url = ''
  let key = ''
  let drawer: unknown
  let card: RowData
  /** What was there: money on cards before each sale, and receipts before all of them. */
  let held = { money: 0, receipts: 0 }

  /** Starts the station, which is killed at a statement of the next sale, or never. */
  async function serve(at: number): Promise<void> {
    const hook = at > 0 ? ['--import', killed] : []
    child = spawn(process.execPath, [...hook, cli, 'serve', '--station', '--data', folder, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, GATEHOUSE_TEST_KILLED_AT: String(at) },
    })
    assert.ok(child.stdout)
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
    ;({ url, key } = JSON.parse(String(line).split('\n')[0] ?? ''))
  }

  async function end(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** Status 0 where no answer came. */
  async function call(method: string, path: string, body?: unknown, nonce?: string): Promise<Answer> {
    const headers: Record<string, string> = { Authorization: `Station ${key}` }
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    if (nonce !== undefined) headers['X-Idempotency-Key'] = nonce
    try {
      const sent = body === undefined ? null : JSON.stringify(body)
      const answer = await fetch(url + path, { method, headers, body: sent })
      return { status: answer.status, body: (await answer.json()) as RowData }
    } catch {
      return { status: 0, body: {} }
    }
  }

  async function ask(status: number, method: string, path: string, body?: unknown): Promise<RowData> {
    const answer = await call(method, path, body)
    assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  const payments = '/api/v1/station/payments/'

  /** Has the terminal charge, as the page does; null where no answer came. A definite refusal takes another payment. */
  async function charge(name: string): Promise<string | null> {
    for (let attempt = 1; ; attempt += 1) {
      const id = `payment-${name}-${attempt}`
      const charged = terminal.asked
      let money = await call('POST', payments, {
        ...{ id, sale: `sale-at-${name}`, amount: '5.00', basket: { tickets: 1 } },
      })
      while (money.body.state === 'pending') money = await call('GET', `${payments}${id}/`)
      if (money.body.state === 'unknown') money = await call('POST', `${payments}${id}/ask/`)
      // The cashier looks at the terminal, which was asked for nothing.
      if (money.body.state === 'unknown') {
        assert.equal(terminal.asked, charged)
        const said = { taken: false, reason: 'It has printed nothing' }
        money = await call('POST', `${payments}${id}/decide/`, said)
      }
      if (money.status === 0) return null
      assert.equal(money.status, 200, JSON.stringify(money.body))
      if (money.body.state === 'paid') return id
    }
  }

  /** Sells one ticket; null where no answer came. */
  async function sell(name: string): Promise<RowData | null> {
    const id = await charge(name)
    if (id === null) return null
    const sold = await call(
      'POST',
      `${ev}/orders/`,
      {
        ...{ status: 'p', positions: [{ item }], expected_total: '23.00' },
        paid_by: [
          { provider: 'giftcard', amount: '1.00', info: { gift_card_secret: 'LONG-LIVED' } },
          { provider: 'cardterminal', amount: '5.00', info: { till_payment: id } },
          { provider: 'boxoffice', amount: '17.00', info: { given: '20.00', change: '3.00' } },
        ],
      },
      `sale-at-${name}`,
    )
    if (sold.status === 0) return null
    assert.equal(sold.status, 201, JSON.stringify(sold.body))
    return sold.body
  }

  before(async () => {
    folder = folders()
    terminal = await startTerminal()
    const ground = await prepareGround(folder, [], 1000)
    item = ground.item
    await serve(0)
    await ask(200, 'PUT', '/api/v1/station/settings/', {
      ...{ organizer: 'acme', event: 'gala', list: ground.list, direction: 'entry', task: 'box-office' },
      terminal: { host: '127.0.0.1', port: terminal.port },
    })
    drawer = (await ask(201, 'POST', `${ev}/drawers/`, { float: '50.00' })).id
    held = { money: 0, receipts: Number((await ask(200, 'GET', `${ev}/receipts/`)).count) }
    card = await ask(201, 'POST', `${org}/giftcards/`, {
      secret: 'LONG-LIVED',
      value: '1000.00',
      currency: 'EUR',
    })
    await end()
  })

  after(async () => {
    await end()
    await terminal.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Nothing that the terminal was asked for is lost: its payment is found, and listed until there is a sale. */
  async function isSeen(at: number, isSold: boolean): Promise<void> {
    const id = `payment-${at}-1`
    const { status, body } = await call('GET', `${payments}${id}/`)
    if (status === 404) return assert.equal(terminal.held, held.money, `killed at statement ${at}`)
    assert.equal(status, 200, JSON.stringify(body))
    const listed = resultsOf(await ask(200, 'GET', payments)).some((row) => row.id === id)
    const hasMoney = body.state === 'paid' || body.state === 'unknown' || body.state === 'pending'
    assert.equal(listed, hasMoney && !isSold, `killed at statement ${at}: ${JSON.stringify(body)}`)
  }

  /** Money, tickets and receipts after so many sales. */
  async function agrees(count: number, at: number): Promise<void> {
    const where = `killed at statement ${at}`
    assert.equal(terminal.asked <= count, true, `the terminal was asked twice: ${where}`)
    assert.equal(terminal.held, count * 500, where)
    assert.equal((await ask(200, 'GET', `${org}/giftcards/${card.id}/`)).value, `${1000 - count}.00`, where)
    const report = await ask(200, 'GET', `${ev}/drawers/${drawer}/report/`)
    assert.equal(report.expected_cash, `${50 + count * 17}.00`, where)
    assert.equal((await ask(200, 'GET', `${ev}/orders/?status=p`)).count, count, where)
    assert.equal((await ask(200, 'GET', `${ev}/receipts/`)).count, held.receipts + count, where)
    assert.deepEqual(resultsOf(await ask(200, 'GET', payments)), [], where)
  }

  it('is made once wherever the station is killed: money, tickets and receipts agree', async () => {
    let count = 0
    let answered = 0
    for (let at = 1 + (seed % step); answered < 2; at += step) {
      held.money = terminal.held
      await serve(at)
      const first = await sell(String(at))
      if (first !== null) answered += 1
      await end()
      await serve(0)
      const { count: sold } = await ask(200, 'GET', `${ev}/orders/?status=p`)
      await isSeen(at, sold === count + 1)
      const order = first ?? (await sell(String(at)))
      assert.ok(order, `killed at statement ${at}`)
      count += 1
      await agrees(count, at)
      await end()
    }
    assert.ok(count > 20 / step, `the station was killed ${count - answered} times`)
    const database = await openDatabase(folder)
    const { receipts, problems } = await verifyTills(database)
    await database.close()
    assert.deepEqual(problems, [])
    assert.ok(receipts >= count)
  })
})
