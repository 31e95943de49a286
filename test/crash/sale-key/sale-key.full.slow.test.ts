import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { openDatabase } from '../../../server/data.ts'
import { ev, prepareGround } from '../../processes/support/ground.ts'
import { temporaryFolders } from '../../support/servers/cli.ts'
import { hasPostgres, ownPostgres } from '../bad-days/own-postgres.ts'

const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url))
const killed = new URL('./killed-at-commit.ts', import.meta.url).href

/** Where a server has its data, as its program is told. */
interface Place {
  readonly address: string
  readonly words: readonly string[]
  remove(): void
}

const folders = temporaryFolders('gatehouse-sale-key')
const places: Readonly<Record<string, () => Promise<Place>>> = {
  async SQLite() {
    const address = folders()
    return {
      address,
      words: ['--data', address],
      remove: () => rmSync(address, { recursive: true, force: true }),
    }
  },
  ...(hasPostgres && {
    async PostgreSQL() {
      const postgres = await ownPostgres()
      const { address } = postgres
      return { address, words: ['--database', address], remove: () => postgres.remove() }
    },
  }),
}

const children = new Set<ChildProcess>()

/** Starts a server, which is killed before or after it commits its first sale; where it answers. */
async function serve({ words }: Place, when: 'before' | 'after' | 'never') {
  const hook = when === 'never' ? [] : ['--import', killed]
  const child = spawn(process.execPath, [...hook, cli, 'serve', '--port', '0', ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, GATEHOUSE_TEST_KILLED: when },
  })
  children.add(child)
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { child, url: String(JSON.parse(line).url) }
}

/** Sells one ticket under a key; status 0 where no answer came. */
async function sell(url: string, item: number, key: string): Promise<{ status: number; body: unknown }> {
  try {
    const answer = await fetch(`${url}${ev}/orders/`, {
      method: 'POST',
      headers: { Authorization: 'Token all', 'Content-Type': 'application/json', 'X-Idempotency-Key': key },
      body: JSON.stringify({
        ...{ email: `${key}@sale.example`, status: 'p', payment_provider: 'manual' },
        positions: [{ item }],
      }),
    })
    return { status: answer.status, body: await answer.json() }
  } catch {
    return { status: 0, body: null }
  }
}

/** As a client repeats it that waits for as long as it is told to. */
async function insist(url: string, item: number, key: string): ReturnType<typeof sell> {
  for (;;) {
    const answer = await sell(url, item, key)
    if (answer.status !== 409) return answer
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

for (const [name, open] of Object.entries(places))
  describe(`a sale with a key, on ${name}`, function () {
    this.timeout(120_000)
    let place: Place
    let item: number
    before(async () => {
      place = await open()
      item = (await prepareGround(place.address, [], 1000)).item
    })
    afterEach(async () => {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      children.clear()
    })
    after(() => place.remove())

    const sold = async (): Promise<string[]> => {
      const database = await openDatabase(place.address)
      const rows = await database.all<{ email: string }>(sql`SELECT email FROM orders ORDER BY email`)
      await database.close()
      return rows.map(({ email }) => email)
    }

    it('is answered as it was made where the server was killed after its commit', async () => {
      const first = await serve(place, 'after')
      assert.equal((await sell(first.url, item, 'after')).status, 0)
      const { url } = await serve(place, 'never')
      const answer = await sell(url, item, 'after')
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      assert.equal((answer.body as { email: string }).email, 'after@sale.example')
      assert.deepEqual(await sell(url, item, 'after'), answer)
      assert.deepEqual(
        (await sold()).filter((email) => email.startsWith('after')),
        ['after@sale.example'],
      )
    })

    it('is made when it is repeated where the server was killed before its commit', async () => {
      const first = await serve(place, 'before')
      assert.equal((await sell(first.url, item, 'before')).status, 0)
      const { url } = await serve(place, 'never')
      // On PostgreSQL another program might still be at it, which is heard from again within seconds.
      const answer = await (name === 'SQLite' ? sell : insist)(url, item, 'before')
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      assert.deepEqual(await sell(url, item, 'before'), answer)
      assert.deepEqual(
        (await sold()).filter((email) => email.startsWith('before')),
        ['before@sale.example'],
      )
    })

    if (name === 'PostgreSQL')
      it('is made once where two servers on one database are asked at the same time', async () => {
        const servers = [await serve(place, 'never'), await serve(place, 'never')]
        const keys = Array.from({ length: 20 }, (_, index) => `both-${String(index).padStart(2, '0')}`)
        for (const key of keys) {
          const [one, other] = await Promise.all(servers.map(({ url }) => insist(url, item, key)))
          assert.equal(one?.status, 201, JSON.stringify(one?.body))
          assert.deepEqual(other, one)
        }
        const both = (await sold()).filter((email) => email.startsWith('both'))
        assert.deepEqual(
          both,
          keys.map((key) => `${key}@sale.example`),
        )
      })
  })
