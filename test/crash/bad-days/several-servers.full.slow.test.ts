import assert from 'node:assert/strict'
import { openDatabase } from '../../../server/data.ts'
import { codesOf, ev, prepareGround } from '../../processes/support/ground.ts'
import { type Served, serveCli } from '../../support/servers/cli.ts'
import { acknowledgedOnce } from './acknowledged-once.ts'
import { startBusyClients } from './busy-clients.ts'
import { activity, lastWords } from './describe-server.ts'
import { startWaiting, testTimeout } from './in-time.ts'
import { hasPostgres, ownPostgres } from './own-postgres.ts'

const servers = 3
const kills = 3
const left = 20
const buyers = 60

/** What each of some buyers, who ask all servers at the same time, was answered for the last tickets. */
const buyTogether = (urls: readonly string[], item: number): Promise<number[]> =>
  Promise.all(
    Array.from({ length: buyers }, async (_, index) => {
      const answer = await fetch(`${urls[index % urls.length]}${ev}/orders/`, {
        method: 'POST',
        headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
        body: JSON.stringify({ status: 'p', payment_provider: 'manual', positions: [{ item }] }),
      })
      await answer.text()
      return answer.status
    }),
  )

if (hasPostgres)
  describe(`${servers} servers on one PostgreSQL, which clients use in turn`, function () {
    this.timeout(testTimeout)

    it(`keep what they acknowledged where one after the other is killed, ${kills} times, and sell the last ticket once`, async () => {
      const inTime = startWaiting()
      const postgres = await inTime('PostgreSQL starts', ownPostgres())
      const running: Served[] = []
      try {
        const codes = codesOf(2500)
        const { list, item, quota } = await inTime(
          'it is made',
          prepareGround(postgres.address, codes, 100_000),
        )
        const database = await inTime('it is opened', openDatabase(postgres.address))
        const words = lastWords()
        const describe = async () => [await activity(database), words.end()].join('\n')
        const serve = async (): Promise<Served> =>
          words.of(await inTime('a server starts', serveCli(['--database', postgres.address]), describe))
        for (let index = 0; index < servers; index += 1) running.push(await serve())
        let turn = 0
        const url = (): string => {
          turn += 1
          return running[turn % servers]?.url ?? ''
        }
        const clients = startBusyClients({ inTime, url, list, item, codes, describe })
        for (let kill = 0; kill < kills; kill += 1) {
          await clients.more(201, 60)
          const index = kill % servers
          const killed = running[index]
          assert.ok(killed)
          await inTime('a server is killed', killed.stop('SIGKILL'))
          await clients.more(0, 5)
          await clients.more(201, 40)
          running[index] = await serve()
        }
        await clients.more(201, 60)
        await clients.end()
        await inTime('all is looked at', acknowledgedOnce(database, clients))

        const urls = running.map((served) => served.url)
        const sold = clients.acknowledged.filter(({ kind }) => kind === 'sale').length
        const changed = await fetch(`${urls[0]}${ev}/quotas/${quota}/`, {
          method: 'PATCH',
          headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
          body: JSON.stringify({ size: sold + left }),
        })
        assert.equal(changed.status, 200, await changed.text())
        const answers = await inTime('all buyers are answered', buyTogether(urls, item), describe)
        assert.equal(answers.filter((status) => status === 201).length, left, answers.join())
        assert.equal(answers.filter((status) => status === 400).length, buyers - left, answers.join())
        await database.close()
      } finally {
        for (const served of running)
          if (served.child.exitCode === null && served.child.signalCode === null) await served.stop('SIGKILL')
        postgres.remove()
      }
    })
  })
