import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RowData } from '../../../server/resource/codec.ts'
import { ev, org, prepareGround } from '../../processes/support/ground.ts'
import { startTerminal, type TerminalSimulator } from '../../station/paying/terminal-simulator.ts'
import { resultsOf } from '../../support/servers/asking.ts'
import { temporaryFolders } from '../../support/servers/cli.ts'

const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url))
const killed = new URL('./killed-at-statement.ts', import.meta.url).href
const folders = temporaryFolders('gatehouse-till-payment')

interface Answer {
  readonly status: number
  readonly body: RowData
}

/** Statements at which the station is killed: close together at first, then further apart. */
const statements = [1, 2, 4, 7, 11, 17, 25, 36, 50, 70]

describe('a sale with cash, a gift card and a terminal', function () {
  this.timeout(180_000)
  let folder: string
  let terminal: TerminalSimulator
  let item: number
  let child: ChildProcess | undefined
  let url = ''
  let key = ''
  let drawer: unknown
  let card: RowData

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
    card = await ask(201, 'POST', `${org}/giftcards/`, {
      secret: 'LONG-LIVED',
      value: '100.00',
      currency: 'EUR',
    })
    await end()
  })

  after(async () => {
    await end()
    await terminal.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is made once wherever the station is killed, and money and tickets agree', async () => {
    let kills = 0
    for (const [index, at] of statements.entries()) {
      await serve(at)
      const first = await sell(String(at))
      if (first === null) kills += 1
      await end()
      await serve(0)
      const order = first ?? (await sell(String(at)))
      assert.ok(order, `killed at statement ${at}`)
      const count = index + 1
      assert.equal(terminal.asked <= count, true, `the terminal was asked twice: killed at statement ${at}`)
      assert.equal(terminal.held, count * 500)
      assert.equal((await ask(200, 'GET', `${org}/giftcards/${card.id}/`)).value, `${100 - count}.00`)
      const report = await ask(200, 'GET', `${ev}/drawers/${drawer}/report/`)
      assert.equal(report.expected_cash, `${50 + count * 17}.00`)
      const orders = await ask(200, 'GET', `${ev}/orders/?status=p`)
      assert.equal(orders.count, count)
      assert.deepEqual(resultsOf(await ask(200, 'GET', payments)), [])
      await end()
    }
    assert.ok(kills > statements.length / 2, `the station was killed ${kills} times`)
  })
})
