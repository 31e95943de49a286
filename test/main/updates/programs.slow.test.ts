import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Payload } from '../../../main/package/payload.ts'
import { openPrograms, type Program } from '../../../main/updates/programs.ts'
import { readUpdateState } from '../../../main/updates/update-notes.ts'
import { updatesIn } from '../../../schema/updates/update-files.ts'
import { leaveWanted, makeTestKey, packSmall, signSmall } from './support/small-release.ts'

const support = (name: string): string => fileURLToPath(new URL(`support/${name}`, import.meta.url))

describe('the versions on a data folder', function () {
  this.timeout(180_000)
  const key = makeTestKey()
  const stranger = makeTestKey()
  let output: string
  let payload: Payload
  let next: Payload
  let data: string
  let said: string[]

  before(async () => {
    output = mkdtempSync(join(tmpdir(), 'gatehouse-releases-'))
    payload = await packSmall(output, '0.2.0')
    next = await packSmall(output, '0.3.0')
    signSmall(output, key.secret, '0.2.0')
    signSmall(output, key.secret, '0.3.0')
  })
  after(() => rmSync(output, { recursive: true }))
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'gatehouse-updates-'))
    said = []
  })
  afterEach(() => rmSync(data, { recursive: true }))

  const open = (base = '0.1.0', keys: readonly string[] = [stranger.public, key.public]) =>
    openPrograms({
      ...{ dataFolder: data, baseFolder: '/base', base, keys, now: () => 1_800_000_000_000 },
      log: (message) => void said.push(message),
    })
  const shown = ({ version, isOnTrial }: Program) => `${version}${isOnTrial ? ' on trial' : ''}`

  /** Installs a version that works. */
  function install(which: Payload): void {
    leaveWanted(output, data, which)
    assert.equal(shown(open().next()), `${which.version} on trial`)
    open().passed()
  }

  it('are that of the package where nothing was installed', () => {
    assert.deepEqual(open().next(), { version: '0.1.0', folder: '/base', isOnTrial: false })
    assert.deepEqual(open('0.1.0', []).next().folder, '/base')
  })

  it('begin with a trial, and stay once it is passed', () => {
    install(payload)
    const program = open().next()
    assert.equal(shown(program), '0.2.0')
    assert.equal(readFileSync(join(program.folder, 'server/cli.js'), 'utf8'), 'console.log("0.2.0")\n')
    assert.equal(existsSync(updatesIn(data).wanted), false)
  })

  it('go back to the one before where the trial fails, and never try it again', () => {
    install(payload)
    leaveWanted(output, data, next)
    assert.equal(shown(open().next()), '0.3.0 on trial')
    open().failed('not healthy')
    assert.equal(shown(open().next()), '0.2.0')
    leaveWanted(output, data, next)
    assert.equal(shown(open().next()), '0.2.0')
    assert.deepEqual(readUpdateState(data).failed, {
      version: '0.3.0',
      reason: 'not healthy',
      at: '2027-01-15T08:00:00.000Z',
    })
  })

  it('try one again that something else has ended, three times', () => {
    leaveWanted(output, data, payload)
    for (let start = 0; start < 3; start += 1) assert.equal(shown(open().next()), '0.2.0 on trial')
    assert.equal(shown(open().next()), '0.1.0')
    assert.equal(readUpdateState(data).failed?.reason, 'ended')
  })

  it('bring the database of before back, and keep the other one aside', () => {
    const database = join(data, 'gatehouse.sqlite')
    writeFileSync(database, 'before')
    leaveWanted(output, data, payload, true)
    writeFileSync(updatesIn(data).copy, 'before')
    open().next()
    writeFileSync(database, 'changed')
    writeFileSync(`${database}-wal`, 'log of what was changed')
    open().failed('ended')
    assert.equal(readFileSync(database, 'utf8'), 'before')
    assert.equal(existsSync(`${database}-wal`), false)
    assert.equal(readFileSync(`${database}.of-failed-update`, 'utf8'), 'changed')
    assert.equal(readUpdateState(data).goingBack, false)
  })

  const spoilt: readonly (readonly [what: string, spoil: (program: string, folder: string) => void])[] = [
    [
      'a file was changed',
      (program) => writeFileSync(join(program, 'server/cli.js'), 'console.log("9.9.9")\n'),
    ],
    ['a file was cut', (program) => truncateSync(join(program, 'server/cli.js'), 4)],
    ['a file is missing', (program) => rmSync(join(program, 'server/cli.js'))],
    ['a file was added', (program) => writeFileSync(join(program, 'server/more.js'), '')],
    ['its list of files was changed', (_, folder) => writeFileSync(join(folder, 'contents.json'), '{}')],
    ['its list was signed by a stranger', (_, folder) => writeFileSync(join(folder, 'list.json'), '{}')],
  ]
  for (const [what, spoil] of spoilt)
    it(`do not start one of which ${what}`, () => {
      install(payload)
      const folder = join(updatesIn(data).versions, '0.2.0')
      // What it was unpacked from is gone as well.
      rmSync(updatesIn(data).files, { recursive: true })
      spoil(join(folder, 'program'), folder)
      assert.equal(shown(open().next()), '0.1.0')
      assert.match(said.join('\n'), /Version 0\.2\.0 is not started: /)
    })

  it('are unpacked anew where the disk has lost some of one', () => {
    install(payload)
    rmSync(join(updatesIn(data).versions, '0.2.0/program/server/cli.js'))
    assert.equal(shown(open().next()), '0.2.0')
    assert.ok(existsSync(join(updatesIn(data).versions, '0.2.0/program/server/cli.js')))
  })

  it('are never older than the package, and none that needs a newer one', () => {
    install(payload)
    assert.equal(shown(open('0.2.0').next()), '0.2.0')
    assert.equal(open('0.2.0').next().folder, '/base')
    assert.equal(open('1.0.0').next().folder, '/base')
    leaveWanted(output, data, next)
    assert.equal(shown(open('0.0.1').next()), '0.0.1')
  })

  it('are not installed where a key signed them that the package does not know', () => {
    leaveWanted(output, data, payload)
    assert.equal(shown(open('0.1.0', [stranger.public]).next()), '0.1.0')
    assert.equal(readUpdateState(data).failed?.reason, 'damaged')
  })

  it('are not installed from a file that was cut or changed', () => {
    for (const spoil of [
      (file: string) => truncateSync(file, 100),
      (file: string) => {
        const bytes = readFileSync(file)
        bytes[20] = (bytes[20] ?? 0) ^ 1
        writeFileSync(file, bytes)
      },
    ]) {
      leaveWanted(output, data, payload)
      spoil(join(updatesIn(data).files, payload.build.archive.sha256))
      assert.equal(shown(open().next()), '0.1.0')
      assert.equal(readUpdateState(data).failed?.reason, 'damaged')
      rmSync(updatesIn(data).state)
    }
  })

  /** Runs the choice in a process that is killed before its nth change of a file; null where it was not killed. */
  function killedAt(step: number, verdict = ''): Program | null {
    const { stdout, signal, stderr } = spawnSync(
      process.execPath,
      ['--import', support('killed-at.ts'), support('next-program.ts'), data, key.public, verdict],
      { encoding: 'utf8', env: { ...process.env, KILLED_AT: String(step) } },
    )
    if (signal === 'SIGKILL') return null
    assert.equal(signal, null, stderr)
    return JSON.parse(stdout)
  }

  it('are whole or not there, wherever unpacking and switching was killed', () => {
    let steps = 0
    for (let step = 1; ; step += 1) {
      rmSync(data, { recursive: true })
      leaveWantedAnew()
      const killed = killedAt(step)
      assert.equal(shown(killed ?? open().next()), '0.2.0 on trial', `killed at ${step}`)
      open().passed()
      assert.equal(shown(open().next()), '0.2.0', `killed at ${step}`)
      if (killed !== null) break
      steps = step
    }
    assert.ok(steps > 15, `only ${steps} steps`)
  })

  it('have the database of before back, wherever going back was killed', () => {
    const database = join(data, 'gatehouse.sqlite')
    let steps = 0
    for (let step = 1; ; step += 1) {
      rmSync(data, { recursive: true })
      leaveWantedAnew(true)
      writeFileSync(updatesIn(data).copy, 'before')
      open().next()
      writeFileSync(database, 'changed')
      writeFileSync(`${database}-wal`, 'log of what was changed')
      const killed = killedAt(step, 'failed')
      // Whatever was killed: the program on trial is tried again, or the database is that of before.
      const program = killed ?? open().next()
      if (program.isOnTrial && killed === null) open().failed('ended')
      assert.equal(readFileSync(database, 'utf8'), 'before', `killed at ${step}`)
      assert.equal(existsSync(`${database}-wal`), false, `killed at ${step}`)
      assert.equal(open().next().version, '0.1.0')
      if (killed !== null) break
      steps = step
    }
    assert.ok(steps > 5, `only ${steps} steps`)
  })

  function leaveWantedAnew(hasCopy = false): void {
    leaveWanted(output, data, payload, hasCopy)
  }
})
