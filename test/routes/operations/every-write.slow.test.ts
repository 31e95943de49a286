import assert from 'node:assert/strict'
import { type Database, type Queryable, StorageError } from '../../../server/storage/database.ts'
import { actionRequests, type Prepare } from '../../fixtures/action-requests.ts'
import { fixtures } from '../../fixtures/resources.ts'
import { makeWorld, type World } from '../../fixtures/world.ts'
import { makeFull, pathOf, subjectOf } from '../../resource/subject.ts'
import { engines } from '../../support/engines/engines.ts'
import { type Described, description } from '../../support/servers/described.ts'
import type { Answer } from '../../support/servers/servers.ts'

/** What somebody else keeps from this server, for longer than it waits. */
type Held = 'nothing' | 'writing' | 'reading'

/** A request, as it is sent. */
interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly inVain?: boolean
  readonly held: Held
}

/** What nobody repeats by a key: it is known again by itself, or nobody is known to ask for it. */
const elsewhere = /\/sync\/(push|import|quarantine\/apply)\/|\/device\/initialize$|\/oauth\//

const [quickest] = engines
assert.ok(quickest)

describe('every endpoint that writes', () => {
  let world: World
  let held: Held = 'nothing'
  let keys = 0

  const waitFor = (what: Held): void => {
    if (held === what || held === 'reading') throw new StorageError('busy', new Error('locked'))
  }
  const contended = (database: Database): Database => ({
    ...{ engine: database.engine, script: (text: string) => database.script(text) },
    close: () => database.close(),
    async all(statement) {
      waitFor('reading')
      return database.all(statement)
    },
    async get(statement) {
      waitFor('reading')
      return database.get(statement)
    },
    async run(statement) {
      waitFor('writing')
      return database.run(statement)
    },
    remembered: (key, load) => database.remembered(key, load),
    async transaction(work) {
      waitFor('writing')
      return database.transaction((tx) => work(noting(tx)))
    },
  })

  /** How many statements the transaction has run that has stored an answer. */
  let besideAnswer = 0
  const noting = (tx: Queryable): Queryable => {
    let statements = 0
    const note = (text: string): void => {
      statements += 1
      if (/^UPDATE kept_answer SET "answer"/.test(text)) besideAnswer = statements
    }
    return {
      engine: tx.engine,
      all: (statement) => {
        note(statement.text)
        return tx.all(statement)
      },
      get: (statement) => {
        note(statement.text)
        return tx.get(statement)
      },
      run: (statement) => {
        note(statement.text)
        return tx.run(statement)
      },
      remembered: (key, load) => tx.remembered(key, load),
    }
  }

  before(async () => {
    world = await makeWorld({ ...quickest, open: async () => contended(await quickest.open()) })
  })
  after(() => world.server.close())

  const send = ({ method, path, body, headers }: Request): Promise<Answer> =>
    world.server.call(method, path, body, headers)

  /** Asks while somebody else does not let go, and again when that is over. */
  async function askTwice(request: Request): Promise<void> {
    const shown = `${request.method} ${request.path}`
    held = request.held
    const refused = await send(request).finally(() => {
      held = 'nothing'
    })
    assert.equal(refused.status, 409, `${shown}: ${JSON.stringify(refused.body)}`)
    assert.deepEqual(Object.keys(refused.body as object), ['detail'])
    assert.match(refused.headers.get('Retry-After') ?? '', /^\d+$/)
    keys += 1
    besideAnswer = 0
    const key = `key-${keys}`
    const answer = await send({ ...request, headers: { ...request.headers, 'X-Idempotency-Key': key } })
    const isFine = request.inVain ? answer.status < 500 && answer.status !== 409 : answer.status < 300
    assert.ok(isFine, `${shown} afterwards: ${answer.status} ${JSON.stringify(answer.body)}`)
    await isStored(request, key, answer)
  }

  /** An answer is known by its key, and was stored together with what it is the answer to. */
  async function isStored(request: Request, key: string, { status, body }: Answer) {
    const { method, path, inVain, held: what, headers } = request
    if (inVain || what === 'reading' || elsewhere.test(path)) return
    const stored = besideAnswer
    const again = await send({ ...request, headers: { ...headers, 'X-Idempotency-Key': key } })
    // Whoever has changed what they may do may not see it any more.
    if (![401, 403].includes(again.status)) assert.deepEqual([again.status, again.body], [status, body])
    assert.ok(stored > 1, `${method} ${path} has stored its answer in another transaction`)
  }

  for (const fixture of fixtures)
    it(`says 409 while others write, and succeeds afterwards: ${fixture.resource.name}`, async () => {
      const { resource } = fixture
      const subject = await subjectOf(world, fixture)
      const full = fixture.full(world, subject.n)
      const ask = (method: string, path: string, body?: unknown) =>
        askTwice({ method, path, body, held: 'writing' })
      if (!resource.omit?.includes('create')) await ask('POST', subject.path, full)
      const one = await subjectOf(world, fixture)
      const path = pathOf(one, await makeFull(one))
      if (!resource.omit?.includes('update')) await ask('PATCH', path, {})
      if (!resource.omit?.includes('replace')) await ask('PUT', path, fixture.full(world, one.n))
      if (!resource.omit?.includes('delete')) await ask('DELETE', path)
    })

  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => {
        const { operationId } = operation as Described
        return { operationId, method: method.toUpperCase(), path }
      }),
  )

  for (const [name, prepare] of Object.entries<Prepare>(actionRequests))
    it(`says 409 while others write, and succeeds afterwards: ${name}`, async () => {
      const operation = operations.find(({ operationId }) => operationId === name)
      assert.ok(operation, `there is no ${name}`)
      const { names = {}, looks = false, as, type, ...rest } = await prepare(world)
      const headers = {
        ...(as === undefined ? {} : { Authorization: as }),
        ...(type === undefined ? {} : { 'Content-Type': type }),
        ...rest.headers,
      }
      const path = operation.path.replace(/\{(\w+)\}/g, (_, key: string) =>
        String(names[key] ?? { organizer: 'acme', event: 'gala' }[key]),
      )
      await askTwice({
        ...rest,
        headers,
        method: operation.method,
        path,
        held: looks ? 'reading' : 'writing',
      })
    })
})
