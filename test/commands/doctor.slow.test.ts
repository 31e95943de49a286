import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import sql from 'sql-template-tag'
import {
  checkCertificate,
  checkClock,
  checkDatabase,
  checkMail,
  type Finding,
  postgresTrouble,
  sqliteTrouble,
} from '../../server/commands/doctor-checks.ts'
import { realEnv } from '../../server/env.ts'
import { makeFile } from '../../server/storage/sqlite-file.ts'
import { engines } from '../support/engines/engines.ts'
import { certificate, certificateKey } from '../support/servers/certificate.ts'

import { made, runCli, serveCli, temporaryFolders } from '../support/servers/cli.ts'
import { startMailServer } from '../support/servers/mail-server.ts'

const folder = temporaryFolders('gatehouse doctor')

/** What the doctor finds out, by what it is about, and how it ends. */
async function examined(args: readonly string[]) {
  const { code, out, err } = await runCli(['doctor', ...args])
  const { well, findings } = JSON.parse(out) as { well: boolean; findings: readonly Finding[] }
  assert.equal(code, well ? 0 : 1, err)
  const of = (check: Finding['check']) => findings.find((one) => one.check === check)
  return { well, of, said: err }
}

/** A port at which something answers that is no server of ours. */
async function strangeServer() {
  const server = createServer((_, answer) => answer.writeHead(404).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

describe('the doctor', () => {
  it('finds a new machine well, and leaves nothing behind', async () => {
    const data = folder()
    const { well, of, said } = await examined(['--data', data, '--port', '0'])
    assert.equal(well, true, said)
    assert.match(String(of('disk')?.text), /MiB are free .*confirms a write within/)
    assert.match(String(of('database')?.text), /the first start makes it/)
    assert.match(said, /disk: /)
    assert.deepEqual(readdirSync(data), [])
  })

  it('knows a server of ours that runs, and its database', async () => {
    const data = folder()
    const server = await serveCli(['--data', data])
    try {
      const { well, of } = await examined(['--data', data, '--port', new URL(server.url).port])
      assert.equal(well, true)
      assert.match(String(of('database')?.text), /sound, and of this version/)
      assert.match(String(of('port')?.text), /A server answers/)
      assert.equal((await runCli(['health', '--server', server.url])).code, 0)
    } finally {
      await server.stop()
    }
  })

  it('says what to do about a port that is taken and a database that is damaged', async () => {
    const data = folder()
    await made(['organizer', 'create', 'acme', '--name', 'Acme', '--data', data])
    writeFileSync(join(data, 'gatehouse.sqlite'), 'x'.repeat(8192))
    const strange = await strangeServer()
    try {
      const { well, of, said } = await examined(['--data', data, '--port', String(strange.port)])
      assert.equal(well, false)
      assert.equal(of('database')?.state, 'bad')
      assert.match(String(of('port')?.text), /Another program uses port .*--port/)
      assert.match(said, /^BAD {2}port/m)
      const { code, err } = await runCli(['health', '--server', `http://127.0.0.1:${strange.port}`])
      assert.equal(code, 1)
      assert.match(err, /cannot do its work \(404\)/)
    } finally {
      strange.close()
    }
  })

  it('finds a database well that is empty', async () => {
    const data = folder()
    await makeFile(join(data, 'gatehouse.sqlite'))
    assert.match((await checkDatabase(data)).text, /It is empty and can be used/)
  })

  it('says that a mail server or a database server is not there', async () => {
    const { well, of } = await examined(['--database', 'postgres://nobody@127.0.0.1:9/none', '--port', '0'])
    assert.equal(well, false)
    assert.equal(of('disk'), undefined)
    assert.match(
      String(of('database')?.text),
      /The database server at 127\.0\.0\.1:9 cannot be used: .*running/,
    )
    const { code, out } = await runCli([
      'doctor',
      '--data',
      folder(),
      '--port',
      '0',
      '--url',
      'https://127.0.0.1:9',
    ])
    assert.equal(code, 1)
    assert.match(out, /certificate.*cannot be reached/)
  })
})

describe('what others run, as the doctor sees it,', () => {
  it('is a mail server that lets us in, or does not', async () => {
    const server = await startMailServer({ user: 'box', pass: 'office' })
    try {
      const { host } = new URL(server.address)
      const at = (login: string) => checkMail(`smtp://${login}@${host}`)
      assert.equal((await at('box:office')).state, 'well')
      const refused = await at('box:wrong')
      assert.equal(refused.state, 'bad')
      assert.match(refused.text, /does not let us in .*GATEHOUSE_SMTP/)
      assert.deepEqual(server.received, [])
    } finally {
      await server.close()
    }
  })

  it('is a certificate that browsers do not believe', async () => {
    const server = createTlsServer({ cert: certificate, key: certificateKey })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const found = await checkCertificate(`https://127.0.0.1:${port}`, realEnv)
      assert.equal(found.state, 'bad')
      assert.match(found.text, /Browsers do not believe .*SELF_SIGNED/)
    } finally {
      server.close()
    }
  })

  it('is a database that can be used', async () => {
    for (const engine of engines) {
      const database = await engine.open()
      const isSqlite = database.engine === 'sqlite'
      const trouble = await (isSqlite ? sqliteTrouble : postgresTrouble)(database)
      // Servers that are there for tests alone need not keep their word.
      const setting = isSqlite ? undefined : await database.get<{ fsync: string }>(sql`SHOW fsync`)
      const expected = setting?.fsync === 'off' ? /Its setting fsync is off: .*Turn it on/ : /^null$/
      assert.match(String(trouble), expected, engine.name)
      await database.close()
    }
  })
})

describe('the clock, as the doctor sees it,', () => {
  const now = Date.UTC(2030, 0, 1)
  const against = (off: number, date = new Date(now - off - 500).toUTCString()) =>
    checkClock('http://central', {
      now: () => now,
      fetch: async () => new Response(null, { headers: { date } }),
    })

  for (const [off, state, words] of [
    [0, 'well', /agrees/],
    [1000, 'well', /agrees/],
    [30_000, 'look', /3[01] seconds ahead of .*NTP/],
    [-30_000, 'look', /seconds behind .*NTP/],
    [600_000, 'bad', /judged wrongly.*NTP/],
  ] as const)
    it(`is ${state} where it is ${off} ms ahead`, async () => {
      const finding = await against(off)
      assert.equal(finding.state, state)
      assert.match(finding.text, words)
    })

  it('is not known where the other server says no time, or nothing', async () => {
    assert.equal((await against(0, '')).state, 'look')
    const silent = async () => Promise.reject(new Error('No route.'))
    assert.match((await checkClock('http://central', { now: () => now, fetch: silent })).text, /No route/)
  })
})
