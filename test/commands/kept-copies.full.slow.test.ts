import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { made, refused, runCli, startCli, temporaryFolders } from '../support/servers/cli.ts'
import { until } from '../support/servers/nodes.ts'

const folder = temporaryFolders('gatehouse copies')

const organizer = (data: string, slug: string) =>
  made(['organizer', 'create', slug, '--name', slug, '--data', data])

const slugsIn = (file: string): unknown[] => {
  const database = new Sqlite(file, { readonly: true })
  try {
    return database.prepare('SELECT slug FROM organizer ORDER BY slug').pluck().all()
  } finally {
    database.close()
  }
}

/** Makes copies every second until it is stopped; what it prints and says, line by line. */
function keepCopies(data: string, kept: string) {
  const child = startCli(['backup', kept, '--every', '1s', '--keep', '2', '--data', data])
  let [out, said] = ['', '']
  child.stdout?.on('data', (part) => {
    out += String(part)
  })
  child.stderr?.on('data', (part) => {
    said += String(part)
  })
  return {
    made: () => out.split('\n').filter(Boolean).length,
    said: () => said,
    async stop() {
      child.kill()
      await once(child, 'close')
    },
  }
}

describe('copies that are made again and again', () => {
  it('are the newest few, each of them whole, and the last brings everything back', async () => {
    const [data, kept] = [folder(), join(folder(), 'copies')]
    await organizer(data, 'first')
    const copies = keepCopies(data, kept)
    try {
      await until('the first copy is there', () => copies.made() > 0)
      writeFileSync(join(kept, 'gatehouse-notes.sqlite'), 'not a copy')
      await organizer(data, 'second')
      const before = copies.made()
      await until('a copy was begun and made since', () => copies.made() > before + 2)
    } finally {
      await copies.stop()
    }
    const names = readdirSync(kept).filter((name) => !name.endsWith('.partial'))
    assert.equal(names.length, 3, names.join())
    assert.ok(names.includes('gatehouse-notes.sqlite'))
    const [older, newest] = names.filter((name) => name.startsWith('gatehouse-2')).sort()
    for (const name of [older, newest])
      assert.deepEqual(slugsIn(join(kept, String(name))), ['first', 'second'])
    await organizer(data, 'third')
    await made(['restore', join(kept, String(newest)), '--data', data])
    assert.deepEqual(slugsIn(join(data, 'gatehouse.sqlite')), ['first', 'second'])
  })

  it('go on after one that could not be made, which is said', async () => {
    const [data, kept] = [folder(), folder()]
    await organizer(data, 'first')
    const file = join(data, 'gatehouse.sqlite')
    const copies = keepCopies(data, kept)
    try {
      await until('the first copy is there', () => copies.made() > 0)
      renameSync(file, `${file}-away`)
      await until('it is said', () => /No copy was made: \S.*data.* It is tried again\./.test(copies.said()))
      renameSync(`${file}-away`, file)
      const before = copies.made()
      await until('there is one again', () => copies.made() > before)
    } finally {
      await copies.stop()
    }
  })

  it('are removed by a copy that is made once, as a timer of the system does it', async () => {
    const [data, kept] = [folder(), folder()]
    await organizer(data, 'first')
    const files = []
    for (let time = 0; time < 3; time += 1)
      files.push(await made(['backup', kept, '--keep', '2', '--data', data]))
    assert.deepEqual(
      files.map(({ removed }) => (removed as string[]).length),
      [0, 0, 1],
    )
    assert.deepEqual(
      readdirSync(kept)
        .sort()
        .map((name) => join(kept, name)),
      files.slice(1).map(({ file }) => file),
    )
  })

  it('are refused with a sentence where what is wanted makes no sense', async () => {
    const data = folder()
    await organizer(data, 'first')
    await refused(['backup', folder(), '--keep', '0', '--data', data], /Keep at least one copy/)
    await refused(
      ['backup', join(data, 'gatehouse.sqlite'), '--keep', '1', '--data', data],
      /No copies can be kept/,
    )
    for (const every of ['0h', '5', 'daily', '90d'])
      assert.match(
        (await runCli(['backup', folder(), '--every', every, '--data', data])).err,
        /30m, 6h or 1d/,
      )
  })
})
