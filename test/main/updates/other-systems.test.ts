import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isOfUse } from '../../../main/package/program-tree.ts'
import { removeFolder, renameOver, writeWhole } from '../../../main/updates/durable-files.ts'
import { readChoice, stopInOrder } from '../../../main/updates/headless.ts'
import { machineOf } from '../../../schema/updates/release.ts'

const refusal = (code: string): Error => Object.assign(new Error(code), { code })

/** A system that refuses to rename something so often; how often it was asked, and waited for. */
function system(platform: NodeJS.Platform, code: string, times: number) {
  const counts = { asked: 0, waited: 0 }
  return {
    counts,
    platform,
    rename() {
      counts.asked += 1
      if (counts.asked <= times) throw refusal(code)
    },
    wait() {
      counts.waited += 1
    },
  }
}

describe('a change of versions on other systems', () => {
  for (const code of ['EPERM', 'EACCES', 'EBUSY'])
    it(`waits on Windows for who looks into a file: ${code}`, () => {
      const windows = system('win32', code, 3)
      renameOver('one', 'two', windows)
      assert.deepEqual(windows.counts, { asked: 4, waited: 3 })
    })

  it('gives up after a while, and at once for what waiting does not mend', () => {
    const held = system('win32', 'EPERM', 1000)
    assert.throws(() => renameOver('one', 'two', held), /EPERM/)
    assert.deepEqual(held.counts, { asked: 40, waited: 39 })
    const missing = system('win32', 'ENOENT', 1)
    assert.throws(() => renameOver('one', 'two', missing), /ENOENT/)
    const elsewhere = system('darwin', 'EPERM', 1)
    assert.throws(() => renameOver('one', 'two', elsewhere), /EPERM/)
    assert.equal(missing.counts.waited + elsewhere.counts.waited, 0)
  })

  it('works in folders with blanks and letters of other languages in their names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'Application Support ä '))
    try {
      const file = join(folder, 'state & more.json')
      writeWhole(file, 'one')
      writeWhole(file, 'two')
      assert.equal(readFileSync(file, 'utf8'), 'two')
      mkdirSync(join(folder, 'versions'))
      writeFileSync(join(folder, 'versions', 'file'), '')
      removeFolder(join(folder, 'versions'))
      removeFolder(join(folder, 'versions'))
    } finally {
      rmSync(folder, { recursive: true })
    }
    assert.equal(
      readChoice(['serve', '--data', 'C:\\Users\\A B\\data'], {}).dataFolder,
      'C:\\Users\\A B\\data',
    )
  })

  it('asks a server on Windows by its channel to end, and elsewhere by a signal', () => {
    const asked: string[] = []
    const child = {
      connected: true,
      kill: (signal?: NodeJS.Signals | number) => asked.push(String(signal)) > 0,
      disconnect: () => void asked.push('disconnect'),
    }
    stopInOrder(child, 'SIGTERM', 'win32')
    stopInOrder({ ...child, connected: false }, 'SIGTERM', 'win32')
    stopInOrder(child, 'SIGTERM', 'darwin')
    assert.deepEqual(asked, ['disconnect', 'SIGTERM'])
  })

  it('takes a release for its own kind of machine, with the native parts of that', () => {
    assert.equal(
      new Set([machineOf('win32', 'x64'), machineOf('darwin', 'arm64'), machineOf('linux', 'x64')]).size,
      3,
    )
    const windows = { platform: 'win32', arch: 'x64' } as const
    assert.equal(isOfUse('/node_modules/node-hid/prebuilds/HID-win32-x64', windows), true)
    assert.equal(isOfUse('/node_modules/node-hid/prebuilds/HID-darwin-arm64', windows), false)
  })
})
