import { request } from 'node:http'
import { silentLog } from '../../server/log.ts'
import type { RowData } from '../../server/resource/codec.ts'
import type { Place, Transactions } from '../../server/resource/transactions.ts'
import { startServer } from '../../server/serve.ts'
import { openMemory } from '../support/engines/sqlite-image.ts'
import { type HandEnv, makeHandEnv } from '../support/servers/hand-env.ts'
import { addEvent, addOrganizer, addToken, allRights, type Call } from '../support/servers/servers.ts'
import { addGate, addItem, addList, addOrder } from '../support/ticketing/tickets.ts'

/** The secret of the station under test. */
export const stationKey = 'station-key-of-the-test'

/** An answer of a station. */
export interface StationAnswer {
  readonly status: number
  readonly body: RowData
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A station with an event, a product, a list that knows pending orders, and a gate; its clock moves by hand. */
export interface Desk {
  readonly env: HandEnv
  readonly url: string
  readonly place: Place
  readonly item: number
  readonly list: number
  readonly gate: number
  readonly transactions: Transactions
  /** Asks as the station's own shell unless headers say otherwise; an empty `Authorization` sends none. */
  readonly call: Call<StationAnswer>
  /** Sets the station up for its list. */
  setUp(more?: RowData): Promise<StationAnswer>
  scan(code: string, more?: RowData): Promise<StationAnswer>
  sell(secret: string, position?: RowData, order?: RowData): Promise<number>
  close(): Promise<void>
}

/** Starts a station that is not set up yet. */
export async function openDesk(): Promise<Desk> {
  const env = makeHandEnv()
  const running = await startServer(
    { database: ':memory:', host: '127.0.0.1', port: 0, stationKey },
    env,
    silentLog,
    await openMemory(),
  )
  const { transactions, url } = running
  const made = await transactions.write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    await addToken(tx, organizer, 'all', allRights)
    const place = { organizer, event: await addEvent(tx, organizer, 'gala') }
    return {
      place,
      item: await addItem(tx, place, 'Day ticket'),
      list: await addList(tx, place, 'Main', { include_pending: true }),
      gate: await addGate(tx, organizer, 'North'),
    }
  })
  const call: Desk['call'] = (method, path, body, headers = {}) =>
    ask(url + path, method, body, { Authorization: `Station ${stationKey}`, ...headers })
  return {
    env,
    url,
    ...made,
    transactions,
    call,
    setUp: (more = {}) =>
      call('PUT', '/api/v1/station/settings/', {
        organizer: 'acme',
        event: 'gala',
        list: made.list,
        direction: 'entry',
        gate: made.gate,
        ...more,
      }),
    scan: (code, more = {}) => call('POST', '/api/v1/station/scan/', { code, source: 'keyboard', ...more }),
    sell: (secret, position = {}, order = {}) =>
      transactions.write(async (tx) => {
        const sold = await addOrder(tx, made.place, [{ item: made.item, secret, ...position }], order)
        return Number(sold.positions[0])
      }),
    close: () => running.close(),
  }
}

/** Asks with every header as given, also those that `fetch` keeps to itself. */
export function ask(
  address: string,
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<StationAnswer> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
  return new Promise((resolve, reject) => {
    const asking = request(
      address,
      { method, headers: { ...(text === undefined ? {} : { 'Content-Type': 'application/json' }), ...sent } },
      async (answer) => {
        const chunks: Buffer[] = []
        for await (const chunk of answer) chunks.push(chunk)
        const said = Buffer.concat(chunks).toString()
        const isJson = answer.headers['content-type']?.includes('json') ?? false
        resolve({
          status: answer.statusCode ?? 0,
          body: isJson ? JSON.parse(said) : { text: said },
          headers: answer.headers,
        })
      },
    )
    asking.on('error', reject)
    asking.end(text)
  })
}
