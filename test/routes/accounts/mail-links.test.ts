import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { realEnv } from '../../../server/env.ts'
import { silentLog } from '../../../server/log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { type Running, startServer } from '../../../server/serve.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { addOrganizer, addToken, allRights } from '../../support/servers/servers.ts'

/** A server that is reached at an address that was configured, or at none. */
async function start(publicUrl?: string): Promise<Running> {
  const config = { database: ':memory:', host: '127.0.0.1', port: 0, stationKey: null }
  const running = await startServer(
    publicUrl === undefined ? config : { ...config, publicUrl },
    realEnv,
    silentLog,
    await openMemory(),
  )
  await running.transactions.write(async (tx) =>
    addToken(tx, await addOrganizer(tx, 'acme'), 'all', allRights),
  )
  return running
}

/** Sends a request as it is, which a client would put right. */
async function send(
  { url }: Running,
  path: string,
  body: RowData,
  headers: Readonly<Record<string, string>> = {},
) {
  const { hostname, port } = new URL(url)
  const asking = request({
    ...{ host: hostname, port, method: 'POST', path: `/api/v1/organizers/acme/${path}` },
    headers: { Authorization: 'Token all', 'Content-Type': 'application/json', ...headers },
  })
  asking.end(JSON.stringify(body))
  const [answer] = await once(asking, 'response')
  return { status: Number(answer.statusCode), body: (await json(answer)) as RowData }
}

const linksIn = async ({ transactions }: Running): Promise<(string | undefined)[]> =>
  (await transactions.database.all<{ text: string }>(sql`SELECT "text" FROM mail ORDER BY id`)).map(
    ({ text }) => /https?:\/\/[^/\s]+(?=\/invitation#token=[a-z0-9]{64})/.exec(text)?.[0],
  )

describe('links in mails', () => {
  let running: Running
  let team: number
  const open = async (publicUrl?: string): Promise<void> => {
    running = await start(publicUrl)
    team = Number((await send(running, 'teams/', { name: 'Door' })).body.id)
  }
  afterEach(() => running.close())

  const invite = async (index: number, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await send(running, `teams/${team}/invites/`, { email: `guest${index}@example.org` }, headers)).status

  const forged: readonly Readonly<Record<string, string>>[] = [
    { Host: 'evil.example' },
    { Host: 'evil.example:443', 'X-Forwarded-Host': '127.0.0.1' },
    { Host: '127.0.0.1.evil.example' },
  ]

  it('lead to the address that was configured, whatever the request says', async () => {
    await open('https://tickets.example.org')
    const said = [{}, ...forged, { Host: 'localhost' }]
    for (const [index, headers] of said.entries()) assert.equal(await invite(index, headers), 201)
    assert.deepEqual(
      await linksIn(running),
      said.map(() => 'https://tickets.example.org'),
    )
  })

  it('lead to where the request has gone, where no address was configured', async () => {
    await open()
    const { port } = new URL(running.url)
    assert.equal(await invite(1, {}), 201)
    // The port is that of the connection, not one that somebody names.
    assert.equal(await invite(2, { Host: '127.0.0.1:1', 'X-Forwarded-Host': 'evil.example' }), 201)
    assert.equal(await invite(3, { Host: 'localhost:1' }), 201)
    assert.deepEqual(await linksIn(running), [running.url, running.url, `http://localhost:${port}`])
  })

  it('are not sent where nothing but the request says where this is', async () => {
    await open()
    for (const [index, headers] of forged.entries()) assert.equal(await invite(index, headers), 400)
    const { count } =
      (await running.transactions.database.get<{ count: number }>(
        sql`SELECT count(*) AS count FROM team_invite`,
      )) ?? {}
    assert.deepEqual([await linksIn(running), count], [[], 0])
    assert.equal(await invite(0, {}), 201)
  })
})
