import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { createRouter } from '../server/app.ts'
import { openData } from '../server/data.ts'
import { realEnv } from '../server/env.ts'
import { createLive } from '../server/http/live.ts'
import { silentLog } from '../server/log.ts'
import { openApiDocument } from '../server/openapi.ts'
import { openSqlite } from '../server/storage/sqlite.ts'

const file = new URL('../schema/openapi.json', import.meta.url)

describe('the description of the interface', () => {
  it('is the one that is committed (write it with: WRITE_OPENAPI=1 npx mocha --no-config test/openapi.test.ts)', async () => {
    const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`
    if (process.env.WRITE_OPENAPI) await writeFile(file, text)
    assert.ok((await readFile(file, 'utf8')) === text, 'schema/openapi.json is not up to date')
  })

  it('tells of every route that there is, and of no other', async () => {
    const database = openSqlite(':memory:')
    const transactions = await openData(database, realEnv)
    const router = createRouter({
      transactions,
      env: realEnv,
      log: silentLog,
      stationKey: null,
      live: createLive(realEnv),
      folder: null,
    })
    const shapeOf = (path: string): string => path.replace(/:\w+|\{\w+\}/g, '{}')
    // A layer with many methods is one that refuses the methods that a path does not have.
    const served = router.stack
      .filter((layer) => layer.methods.length <= 2)
      .flatMap((layer) =>
        layer.methods.filter((one) => one !== 'HEAD').map((one) => `${one} ${shapeOf(String(layer.path))}`),
      )
    const { paths } = openApiDocument() as { paths: Record<string, Record<string, unknown>> }
    const told = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => method !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${shapeOf(path)}`),
    )
    await database.close()
    assert.deepEqual(
      {
        untold: served.filter((one) => !told.includes(one)),
        unserved: told.filter((one) => !served.includes(one)),
      },
      { untold: [], unserved: [] },
    )
  })
})
