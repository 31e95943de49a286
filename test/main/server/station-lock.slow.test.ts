import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lockStation, type StationLock } from '../../../main/server/station-lock.ts'
import { makeTestFolder, type TestFolder } from '../common/scripts.ts'

const MODULE = JSON.stringify(new URL('../../../main/server/station-lock.ts', import.meta.url).href)

describe('the lock of a data folder', () => {
  let folder: TestFolder
  beforeEach(() => {
    folder = makeTestFolder()
  })
  afterEach(() => folder.remove())

  function take(): StationLock {
    const lock = lockStation(folder.path)
    assert('release' in lock)
    return lock
  }

  const file = () => join(folder.path, 'station.lock')

  it('is taken once', () => {
    const lock = take()
    assert.deepEqual(lockStation(folder.path), { takenBy: process.pid })
    lock.release()
    assert.deepEqual(readdirSync(folder.path), [])
    take().release()
  })

  it('is readable by its owner alone and begins with the process’s number', () => {
    const lock = take()
    assert.equal(statSync(file()).mode & 0o077, 0)
    assert.equal(Number.parseInt(readFileSync(file(), 'utf8'), 10), process.pid)
    lock.release()
  })

  const stale: readonly [string, () => string][] = [
    ['of a process that is gone', () => String(spawnSync(process.execPath, ['-e', '']).pid)],
    ['that is empty', () => ''],
    ['that is no number', () => 'what?'],
    ['of a number that cannot be', () => '-1'],
  ]
  for (const [what, text] of stale) {
    it(`is taken over ${what}`, () => {
      folder.write('station.lock', text())
      take().release()
    })
  }

  if (process.platform === 'linux') {
    it('names the start of its process and of the machine', () => {
      const lock = take()
      assert.match(readFileSync(file(), 'utf8'), /^\d+ \d+ [0-9a-f-]{36}$/)
      lock.release()
    })

    it('is taken over from a process that only has the same number', () => {
      folder.write('station.lock', `${process.pid} 1 of-another-start`)
      take().release()
    })
  }

  it('is held by a process that lives', async () => {
    const holder = spawn(
      process.execPath,
      [
        ...['--input-type=module', '-e'],
        `const { lockStation } = await import(${MODULE})
         lockStation(${JSON.stringify(folder.path)})
         console.log('taken')
         setInterval(() => {}, 1000)`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await new Promise((resolve) => holder.stdout.once('data', resolve))
    assert.deepEqual(lockStation(folder.path), { takenBy: holder.pid })
    const gone = new Promise((resolve) => holder.once('exit', resolve))
    holder.kill('SIGKILL')
    await gone
    take().release()
  })

  describe('that is stale', () => {
    it('is left alone while another process is about to remove it', () => {
      const another = makeTestFolder()
      lockStation(another.path)
      folder.write('station.lock', '999999999')
      folder.write('station.lock.removing', readFileSync(join(another.path, 'station.lock'), 'utf8'))
      another.remove()
      assert.deepEqual(lockStation(folder.path), { takenBy: 999999999 })
      assert.equal(readFileSync(file(), 'utf8'), '999999999')
    })

    it('is removed although another process died when it was about to', () => {
      folder.write('station.lock', '999999999')
      folder.write('station.lock.removing', '999999998')
      take().release()
    })
  })

  it('goes to one of many that find it stale at once', async function () {
    this.timeout(180_000)
    folder.write('station.lock', '999999999')
    const script = `
      const { lockStation } = await import(${MODULE})
      process.stdin.once('data', () => {
        console.log('release' in lockStation(${JSON.stringify(folder.path)}) ? 'taken' : 'refused')
        process.stdin.once('end', () => process.exit(0))
      })
      console.log('waiting')`
    const racers = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    const lines = () =>
      Promise.all(
        racers.map((racer) => new Promise<string>((r) => racer.stdout.once('data', (d) => r(`${d}`.trim())))),
      )
    assert.deepEqual(new Set(await lines()), new Set(['waiting']))
    const outcomes = lines()
    for (const racer of racers) racer.stdin.write('go')
    assert.equal((await outcomes).filter((outcome) => outcome === 'taken').length, 1)
    const gone = racers.map((racer) => new Promise((resolve) => racer.once('exit', resolve)))
    for (const racer of racers) racer.stdin.end()
    await Promise.all(gone)
  })
})
