import assert from 'node:assert/strict'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { openSqlite } from '../../server/storage/sqlite.ts'
import { made, refused, runCli, serveCli, temporaryFolders } from '../support/servers/cli.ts'

const folder = temporaryFolders('gatehouse serve')

describe('serve', () => {
  it('says where it answers in one line of JSON, and ends well when told to', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const served = await serveCli(['--data', join(folder(), 'new', 'folder')])
      assert.deepEqual(Object.keys(served.line), ['url'])
      assert.match(served.url, /^http:\/\/127\.0\.0\.1:\d+$/)
      assert.equal((await fetch(`${served.url}/api/v1/organizers/`)).status, 401)
      const { code, out, err } = await served.stop(signal)
      assert.equal(code, 0, err)
      assert.equal(out, `${JSON.stringify(served.line)}\n`)
      for (const line of err.trim().split('\n')) assert.equal(typeof JSON.parse(line).event, 'string', line)
    }
  })

  it('answers as ever where its log finds no room', async () => {
    const full = openSync('/dev/full', 'w')
    const served = await serveCli(['--data', folder()], { stderr: full })
    assert.equal((await fetch(`${served.url}/api/v1/organizers/`)).status, 401)
    const refusal = { headers: { Authorization: 'Token nobody' } }
    assert.equal((await fetch(`${served.url}/api/v1/organizers/`, refusal)).status, 401)
    assert.equal((await served.stop()).code, 0)
    closeSync(full)
  })

  it('ends well with pages still listening, and connections open on which nothing was asked', async () => {
    const served = await serveCli(['--data', folder(), '--station'])
    const silent = connect(Number(new URL(served.url).port), '127.0.0.1')
    await once(silent, 'connect')
    const stream = await fetch(`${served.url}/api/v1/station/live`, {
      headers: { Authorization: `Station ${served.line.key}` },
    })
    assert.equal(stream.status, 200)
    const closed = once(silent, 'close')
    assert.equal((await served.stop()).code, 0)
    await Promise.all([stream.text(), closed])
  })

  it('gives the shell of a station the address that lets its window in, and its key', async () => {
    const served = await serveCli(['--data', folder(), '--station'])
    const { url, open, key } = served.line
    assert.deepEqual(Object.keys(served.line), ['url', 'open', 'key'])
    assert.match(String(key), /^[\w-]{43}$/)
    assert.equal(open, `${url}/open#key=${key}`)
    const entered = await fetch(`${url}/api/v1/station/open`, {
      method: 'POST',
      headers: { Authorization: `Station ${key}` },
    })
    const [cookie = ''] = entered.headers.getSetCookie()
    assert.match(cookie, /HttpOnly/i)
    for (const [headers, status] of [
      [{ Cookie: cookie.split(';')[0] ?? '' }, 200],
      [{ Authorization: `Station ${key}` }, 200],
      [{ Authorization: 'Station of-somebody-else' }, 401],
    ] as const)
      assert.equal((await fetch(`${served.url}/api/v1/station/`, { headers })).status, status)
    await served.stop()
  })

  it('uses a data folder with spaces and backslashes in its name', async () => {
    const data = join(folder(), 'C:\\Users\\Änne Groß\\Gate house')
    const served = await serveCli(['--data', data])
    assert.equal((await made(['organizer', 'create', 'one', '--name', 'One', '--data', data])).slug, 'one')
    assert.equal((await served.stop()).code, 0)
    await refused(['organizer', 'create', 'one', '--name', 'One', '--data', data], /"one" already/)
  })

  it('is one for a data folder, also after it was ended by force', async () => {
    const data = folder()
    const first = await serveCli(['--data', data])
    await refused(
      ['serve', '--port', '0', '--data', data],
      /A server is running on .* already\. Use that one/,
    )
    await made(['organizer', 'create', 'beside', '--name', 'Beside', '--data', data])
    await first.stop('SIGKILL')
    const second = await serveCli(['--data', data])
    assert.equal((await second.stop()).code, 0)
  })

  it('says that a port is in use, and what to do', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const { code, out, err } = await runCli(['serve', '--data', folder(), '--port', port])
    other.close()
    assert.deepEqual({ code, out }, { code: 1, out: '' })
    assert.match(err, new RegExp(`Port ${port} is in use already.* --port`))
    assert.doesNotMatch(err, /^\s+at |Error:/m)
  })

  it('refuses ports and addresses that cannot be', async () => {
    await refused(['serve', '--data', folder(), '--port', '65536'], /Give a port from 0 to 65535/)
    await refused(
      ['serve', '--data', folder(), '--host', '192.0.2.1', '--port', '0'],
      /does not have the address 192\.0\.2\.1/,
    )
    await refused(
      ['serve', '--data', folder(), '--webhook-network', 'everywhere'],
      /Write it as 10\.0\.0\.0\/8/,
    )
  })
})

describe('a data folder that cannot be used', () => {
  /** A folder with something else where the database should be. */
  const spoiled = (content: string | Uint8Array | null): string => {
    const data = folder()
    const file = join(data, 'gatehouse.sqlite')
    if (content === null) mkdirSync(file)
    else writeFileSync(file, content)
    return data
  }

  const file = join(folder(), 'a file')
  writeFileSync(file, 'text')
  const places: readonly (readonly [string, string, RegExp])[] = [
    ['is a file', file, /The data folder .* cannot be used: it is a file\. .*--data/],
    ['is below a file', join(file, 'below'), /cannot be used: part of its path is a file\. .*--data/],
    ['has a name that is too long', join(folder(), 'x'.repeat(300)), /its name is too long\. .*--data/],
    [
      'holds a text instead',
      spoiled('Dear all,\n'.repeat(100)),
      /gatehouse\.sqlite is not a database\. Move/,
    ],
    ['holds a folder instead', spoiled(null), /gatehouse\.sqlite cannot be opened.* rights/],
  ]
  for (const [what, data, words] of places)
    it(`is refused with a sentence when it ${what}`, async () => {
      await refused(['organizer', 'create', 'x', '--name', 'X', '--data', data], words)
    })

  it('is refused by the server in the same words', async () => {
    await refused(
      ['serve', '--port', '0', '--data', spoiled('x'.repeat(5000))],
      /is not a database\. Move it/,
    )
  })

  it('is refused when its database is damaged', async () => {
    const data = folder()
    await made(['organizer', 'create', 'x', '--name', 'X', '--data', data])
    const path = join(data, 'gatehouse.sqlite')
    const database = openSqlite(path)
    await database.script('PRAGMA wal_checkpoint(TRUNCATE);\n')
    await database.close()
    const bytes = Buffer.alloc(200_000, 0x5a)
    bytes.set(readFileSync(path).subarray(0, 4096))
    writeFileSync(path, bytes)
    await refused(
      ['organizer', 'create', 'y', '--name', 'Y', '--data', data],
      /is damaged\. Stop every program that uses it, keep a copy of its folder, and put a backup in its place/,
    )
  })

  it('is one sentence too when a database server does not answer, without its password', async () => {
    const { code, out, err } = await runCli([
      ...['organizer', 'create', 'x', '--name', 'X'],
      ...['--database', 'postgres://gate:very-secret@127.0.0.1:1/gate'],
    ])
    assert.deepEqual({ code, out }, { code: 1, out: '' })
    assert.match(
      err,
      /^gatehouse: The database server at 127\.0\.0\.1:1 cannot be used: nothing answers there/,
    )
    assert.doesNotMatch(err, /secret/)
  })
})
