import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { openData } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { openSqlite } from '../../server/storage/sqlite.ts'
import { bothEngines } from '../support/engines/engines.ts'

const worker = fileURLToPath(new URL('./ids-worker.ts', import.meta.url))
const run = promisify(execFile)

describe('ids', () => {
  it('never repeat between two processes on one file, in whatever way they end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-ids-'))
    const file = join(folder, 'ids.sqlite')
    const database = openSqlite(file)
    const transactions = await openData(database, realEnv)
    const take = async (ending: string) => {
      const { stdout } = await run(process.execPath, [worker, file, '400', ending])
      return JSON.parse(stdout) as number[]
    }
    const own: number[] = []
    const working = Promise.all([take('orderly'), take('sudden'), take('orderly')])
    for (let index = 0; index < 200; index += 1) own.push(await transactions.write(async (tx) => tx.nextId()))
    const theirs = (await working).flat()
    theirs.push(...(await take('orderly')))
    for (let index = 0; index < 200; index += 1) own.push(await transactions.write(async (tx) => tx.nextId()))
    await transactions.release()
    await database.close()
    await rm(folder, { recursive: true })
    const all = [...own, ...theirs]
    assert.equal(all.length, 400 + 4 * 1200)
    assert.equal(new Set(all).size, all.length)
  })

  for (const engine of bothEngines)
    describe(`on ${engine.name}`, () => {
      it('are small whole numbers that are used up in order, and never twice after a failure', async () => {
        const database = await engine.open()
        const transactions = await openData(database, realEnv)
        const taken: number[] = []
        await assert.rejects(
          transactions.write(async (tx) => {
            taken.push(tx.nextId())
            throw new Error('no')
          }),
        )
        await Promise.all(
          Array.from({ length: 40 }, () => transactions.write(async (tx) => taken.push(tx.nextId()))),
        )
        assert.equal(new Set(taken).size, 41)
        assert.ok(taken.every((id) => Number.isSafeInteger(id) && id >= 1 && id < 2000))
        await database.close()
      })

      it('are enough for a transaction that needs very many', async () => {
        const database = await engine.open()
        const transactions = await openData(database, realEnv)
        const many = await transactions.write(async (tx) => Array.from({ length: 30_000 }, () => tx.nextId()))
        assert.equal(new Set(many).size, 30_000)
        await database.close()
      })

      it('that were not used are given back at an orderly end', async () => {
        const database = await engine.open()
        for (let start = 0; start < 3; start += 1) {
          const transactions = await openData(database, realEnv)
          await transactions.write(async (tx) => tx.nextId())
          await transactions.release()
        }
        const node = await database.get<{ next_id: number }>(sql`SELECT next_id FROM node`)
        assert.equal(node?.next_id, 4)
        await database.close()
      })

      it('carry the site of their node', async () => {
        const database = await engine.open()
        await openData(database, realEnv)
        await database.run(sql`UPDATE node SET site = 3`)
        const transactions = await openData(database, realEnv)
        const id = await transactions.write(async (tx) => tx.nextId())
        assert.equal(Math.floor(id / 2 ** 32), 3)
        await transactions.release()
        await database.close()
      })
    })
})
