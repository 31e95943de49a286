import assert from 'node:assert/strict'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { made, refused, runCli, serveCli, temporaryFolders } from '../support/servers/cli.ts'

const folder = temporaryFolders('gatehouse backup')

interface NodeRow {
  readonly epoch: string
  readonly next_id: number
  readonly next_site: number
}

function look(data: string): { readonly node: NodeRow; readonly slugs: unknown[] } {
  const file = new Sqlite(join(data, 'gatehouse.sqlite'))
  try {
    return {
      node: file.prepare('SELECT epoch, next_id, next_site FROM node').get() as NodeRow,
      slugs: file.prepare('SELECT slug FROM organizer ORDER BY slug').pluck().all(),
    }
  } finally {
    file.close()
  }
}

const organizer = (data: string, slug: string) =>
  made(['organizer', 'create', slug, '--name', slug, '--data', data])

describe('backup and restore', () => {
  it('bring back what there was, as another history from which no id is given out again', async () => {
    const [data, kept] = [folder(), join(folder(), 'copy.sqlite')]
    await organizer(data, 'first')
    const server = await serveCli(['--data', data])
    try {
      const { file, bytes } = await made(['backup', kept, '--data', data])
      assert.equal(file, kept)
      assert.ok(Number(bytes) > 100_000)
      for (const own of [kept, join(data, 'gatehouse.sqlite')])
        assert.equal(statSync(own).mode & 0o077, 0, own)
      await organizer(data, 'second')
      await refused(
        ['restore', kept, '--data', data],
        /A server is running on .*Stop it first; nothing was changed/,
      )
    } finally {
      await server.stop()
    }
    const before = look(data)
    assert.deepEqual(before.slugs, ['first', 'second'])
    const restored = await made(['restore', kept, '--data', data])
    const after = look(data)
    assert.deepEqual(after.slugs, ['first'])
    assert.notEqual(after.node.epoch, before.node.epoch)
    assert.ok(after.node.next_id > before.node.next_id)
    assert.ok(after.node.next_site > before.node.next_site)
    const aside = new Sqlite(String(restored.kept), { readonly: true })
    assert.deepEqual(aside.prepare('SELECT slug FROM organizer ORDER BY slug').pluck().all(), [
      'first',
      'second',
    ])
    aside.close()
    await organizer(data, 'third')
    assert.deepEqual(look(data).slugs, ['first', 'third'])
  })

  it('give nothing out again where the same copy is brought back twice', async () => {
    const [data, kept] = [folder(), join(folder(), 'copy.sqlite')]
    await organizer(data, 'acme')
    await made(['backup', kept, '--data', data])
    await made(['restore', kept, '--data', data])
    await organizer(data, 'second')
    const { node } = look(data)
    await made(['restore', kept, '--data', data])
    const after = look(data)
    assert.deepEqual(after.slugs, ['acme'])
    assert.ok(after.node.next_id > node.next_id)
    assert.ok(after.node.next_site > node.next_site)
  })

  it('go on behind the data that is said to be replaced, wherever that is', async () => {
    const [data, kept, fresh] = [folder(), join(folder(), 'copy.sqlite'), join(folder(), 'new')]
    await organizer(data, 'acme')
    await made(['backup', kept, '--data', data])
    const { node } = look(data)
    const far = { next_id: node.next_id + 2_000_000_000, next_site: node.next_site + 1_000_000 }
    const replaced = new Sqlite(join(data, 'gatehouse.sqlite'))
    replaced.prepare('UPDATE node SET next_id = @next_id, next_site = @next_site').run(far)
    replaced.close()
    await made(['restore', kept, '--data', fresh, '--replaces', data])
    const after = look(fresh).node
    assert.ok(after.next_id > far.next_id && after.next_site > far.next_site)
    const nothing = join(folder(), 'nothing')
    await refused(
      ['restore', kept, '--data', join(folder(), 'other'), '--replaces', nothing],
      /Nothing can be read at .*nothing was changed/,
    )
  })

  it('do not need what is replaced to be sound', async () => {
    const [data, kept] = [folder(), join(folder(), 'copy.sqlite')]
    await organizer(data, 'acme')
    await made(['backup', kept, '--data', data])
    const { node } = look(data)
    const target = new Sqlite(join(data, 'gatehouse.sqlite'))
    target.exec('PRAGMA foreign_keys = OFF; DROP TABLE node;')
    target.close()
    await made(['restore', kept, '--data', data])
    assert.ok(look(data).node.next_id > node.next_id)
  })

  it('work in a folder where nothing is', async () => {
    const [data, kept, fresh] = [folder(), join(folder(), 'copy.sqlite'), join(folder(), 'new')]
    await organizer(data, 'acme')
    await made(['backup', kept, '--data', data])
    assert.equal((await made(['restore', kept, '--data', fresh])).kept, null)
    assert.deepEqual(look(fresh).slugs, ['acme'])
  })

  it('change nothing where something is wrong', async () => {
    const [data, files] = [folder(), folder()]
    const kept = join(files, 'copy.sqlite')
    await refused(['backup', kept, '--data', data], /There is no database in/)
    await organizer(data, 'acme')
    const text = join(files, 'text.sqlite')
    writeFileSync(text, 'this is no database at all, only a text that is long enough to look at')
    await refused(['restore', text, '--data', data], /cannot be restored.*Nothing was changed/)
    const empty = join(files, 'empty.sqlite')
    writeFileSync(empty, '')
    await refused(['restore', empty, '--data', data], /is empty, which no database is.*Nothing was changed/)
    const foreign = join(files, 'foreign.sqlite')
    const other = new Sqlite(foreign)
    other.exec('CREATE TABLE moz_places (id INTEGER)')
    other.close()
    await refused(['restore', foreign, '--data', data], /another program.*Nothing was changed/)
    const lost = folder()
    writeFileSync(join(lost, 'gatehouse.sqlite'), '')
    await refused(['serve', '--port', '0', '--data', lost], /is empty, which no database is/)
    await refused(['backup', join(files, 'of-nothing'), '--data', lost], /is empty, which no database is/)
    await refused(['restore', join(files, 'nowhere'), '--data', data], /There is no file/)
    await refused(['backup', text, '--data', data], /is there already/)
    await refused(['restore', '--data', data], /restore/)
    assert.deepEqual(look(data).slugs, ['acme'])
    const wrong = await runCli(['backup', join(files, 'no', 'such', 'folder'), '--data', data])
    assert.equal(wrong.code, 1)
    assert.doesNotMatch(wrong.err, /^\s+at /m)
    assert.ok(!existsSync(kept))
  })
})
