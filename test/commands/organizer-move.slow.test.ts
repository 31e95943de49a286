import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { made, refused, serveCli, startCli, temporaryFolders } from '../support/servers/cli.ts'
import { MovingOrganizer } from '../support/servers/moved-organizer.ts'
import { until } from '../support/servers/nodes.ts'

const folders = temporaryFolders('gatehouse organizer')
const newFile = (): string => join(folders(), 'acme.move')

describe('an organizer that is moved by commands', () => {
  it('goes on with its stations, whose scans arrive once', async () => {
    const target = folders()
    await made(['organizer', 'create', 'rival', '--name', 'Rival', '--data', target])
    const moving = await MovingOrganizer.begin(folders())
    try {
      await moving.move(target, newFile())
      await moving.joinAnother()
    } finally {
      await moving.end()
    }
  })

  it('is opened again where it was, and the file is not written twice', async () => {
    const [data, file] = [folders(), newFile()]
    await made(['organizer', 'create', 'acme', '--name', 'Acme', '--data', data])
    await refused(['organizer', 'export', 'other', file, '--data', data], /no organizer "other" here/)
    await refused(['organizer', 'export', 'acme', '--cancel', '--data', data], /was not moved/)
    const { moved_to } = await made(['organizer', 'export', 'acme', file, '--data', data])
    assert.equal(moved_to, 'another server')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    await refused(['organizer', 'export', 'acme', file, '--data', data], /There is a file .* already/)
    const event = ['event', 'create', 'gala', '--name', 'Gala', '--starts', '2030-12-31T19:30']
    await refused([...event, '--organizer', 'acme', '--data', data], /was moved to another server/)
    await made(['organizer', 'export', 'acme', '--cancel', '--data', data])
    await made([...event, '--organizer', 'acme', '--data', data])
    await refused(['organizer', 'import', newFile(), '--data', data], /There is no file/)
    await refused(['organizer', 'import', file, '--data', data], /is here already, and served/)
  })

  it('tells who has no account at the new place, and lets those in who have', async () => {
    const [data, target, file] = [folders(), folders(), newFile()]
    await made(['organizer', 'create', 'acme', '--name', 'Acme', '--data', data])
    const team = ['team', 'create', '--organizer', 'acme', '--name', 'Box office', '--all-permissions']
    const { id } = await made([...team, '--all-events', '--data', data])
    const user = (email: string, into: string) =>
      made(['user', 'create', email, '--password', 'correct horse battery', '--data', into])
    for (const email of ['ann@example.org', 'ben@example.org'])
      await made([
        ...['user', 'create', email, '--password', 'correct horse battery', '--data', data],
        ...['--organizer', 'acme', '--team', String(id)],
      ])
    await user('first@example.org', target)
    const { id: ann } = await user('Ann@example.org', target)
    await made(['organizer', 'export', 'acme', file, '--data', data])
    const { not_found } = await made(['organizer', 'import', file, '--data', target])
    assert.deepEqual(not_found, [{ email: 'ben@example.org', teams: [id], scheduled_exports: 0 }])
    const database = new Sqlite(join(target, 'gatehouse.sqlite'), { readonly: true })
    assert.deepEqual(database.prepare('SELECT "user" FROM team_member').pluck().all(), [ann])
    database.close()
  })
})

describe('an import that is killed', () => {
  it('leaves nothing, and is begun again', async () => {
    const [data, target, file] = [folders(), folders(), newFile()]
    const { organizer } = await made(['demo', '--out', folders(), '--data', data])
    await made(['organizer', 'export', String(organizer), file, '--data', data])
    await made(['organizer', 'create', 'rival', '--name', 'Rival', '--data', target])
    const server = await serveCli(['--data', target])
    await refused(['organizer', 'import', file, '--data', target], /A server is running on/)
    await server.stop()
    const log = join(target, 'gatehouse.sqlite-wal')
    const running = startCli(['organizer', 'import', file, '--data', target])
    const ended = new Promise<NodeJS.Signals | null>((resolve) => {
      running.once('exit', (_, signal) => resolve(signal))
    })
    await until('rows are written', () => existsSync(log) && statSync(log).size > 1_000_000)
    running.kill('SIGKILL')
    assert.equal(await ended, 'SIGKILL')
    const slugs = () => {
      const database = new Sqlite(join(target, 'gatehouse.sqlite'))
      try {
        const orders = database.prepare('SELECT count(*) FROM orders').pluck().get()
        return [orders, ...database.prepare('SELECT slug FROM organizer ORDER BY slug').pluck().all()]
      } finally {
        database.close()
      }
    }
    assert.deepEqual(slugs(), [0, 'rival'])
    const { rows } = await made(['organizer', 'import', file, '--data', target])
    assert.ok(Number(rows) > 20_000, `${rows} rows`)
    assert.deepEqual(slugs(), [5000, organizer, 'rival'].toSorted())
  })
})
