import { silentLog } from '../../../server/log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import type { Place, Transactions } from '../../../server/resource/transactions.ts'
import { startServer } from '../../../server/serve.ts'
import type { Engine } from '../engines/engines.ts'
import { type HandEnv, makeHandEnv } from './hand-env.ts'
import { addEvent, addOrganizer, addToken, allRights } from './servers.ts'

/** A server whose clock stands still until it is told, for commands that a model is compared with. */
export interface ModelServer {
  readonly env: HandEnv
  readonly transactions: Transactions
  readonly place: Place
  /** Asks below the path of the organizer `acme`. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: RowData }>
  close(): Promise<void>
}

/** Starts one with the organizer `acme` and the event `gala`. */
export async function startModelServer(engine: Engine): Promise<ModelServer> {
  const env = makeHandEnv()
  const config = { database: ':memory:', host: '127.0.0.1', port: 0, stationKey: null }
  const running = await startServer(config, env, silentLog, await engine.open())
  const { transactions } = running
  const place = await transactions.write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    await addToken(tx, organizer, 'all', allRights)
    return { organizer, event: await addEvent(tx, organizer, 'gala') }
  })
  return {
    env,
    transactions,
    place,
    async call(method, path, body) {
      const answer = await fetch(`${running.url}/api/v1/organizers/acme${path}`, {
        method,
        headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
    },
    close: () => running.close(),
  }
}
