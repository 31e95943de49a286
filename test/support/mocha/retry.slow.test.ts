import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judge } from './retry.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

describe('a file of tests that is run once more', () => {
  const result = (passed: readonly string[], failed: readonly string[]) => {
    return { file: 'test/a.test.ts', seconds: 1, passed, failed }
  }

  it('was flaky in what passes now', () =>
    assert.deepEqual(judge(result(['a'], ['b', 'c']), result(['a', 'b'], ['c'])), {
      flaky: ['b'],
      failed: ['c'],
    }))

  it('was flaky in a hook where nothing fails now', () =>
    assert.deepEqual(judge(result([], ['"before all" hook']), result(['a'], [])), {
      flaky: ['"before all" hook'],
      failed: [],
    }))

  it('fails in what fails for the first time now', () =>
    assert.deepEqual(judge(result(['a'], ['b']), result(['b'], ['a'])), { flaky: ['b'], failed: ['a'] }))

  it('fails in what a hook that fails now has kept from running', () =>
    assert.deepEqual(judge(result(['a'], ['b']), result([], ['"before all" hook'])), {
      flaky: [],
      failed: ['"before all" hook', 'b'],
    }))

  it('fails in all that failed where it says nothing, or has no tests', () => {
    assert.deepEqual(judge(result([], ['b']), undefined), { flaky: [], failed: ['b'] })
    assert.deepEqual(judge(result([], ['b']), result([], [])), { flaky: [], failed: ['b'] })
  })
})

describe('a run of which something fails', function () {
  this.timeout(120_000)
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-flaky-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return relative(root, join(folder, name))
  }
  const node = (args: readonly string[]) =>
    spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, GATEHOUSE_TEST_RESULTS: join(folder, 'results.json') },
    })

  it('names what passes by itself as flaky, and what does not as failed', () => {
    const flaky = write(
      'flaky.test.ts',
      `import { existsSync, writeFileSync } from 'node:fs'
      describe('now and then', () => {
        it('fails', () => {
          const mark = ${JSON.stringify(join(folder, 'mark'))}
          if (existsSync(mark)) return
          writeFileSync(mark, '')
          throw new Error('the first time')
        })
        it('passes', () => {})
      })`,
    )
    const broken = write(
      'broken.test.ts',
      `describe('always', () => it('fails', () => { throw new Error() }))`,
    )
    const unreadable = write('unreadable.test.ts', `import './missing.ts'`)
    const empty = write('empty.test.ts', `describe('nothing', () => {})`)
    const config = JSON.parse(readFileSync(join(root, '.mocharc.one.json'), 'utf8'))
    const spec = [flaky, broken, unreadable, empty].map((file) => join(root, file))
    const parallel = join(folder, 'parallel.json')
    writeFileSync(parallel, JSON.stringify({ ...config, spec, parallel: true, jobs: 2 }))
    const run = node([fileURLToPath(import.meta.resolve('mocha/bin/mocha.js')), '--config', parallel])
    assert.deepEqual(run.stdout.match(/^ .*: no tests$/gm), [`  ${empty}: no tests`])

    const { status, stdout } = node(['test/support/mocha/retry.ts', join(folder, 'results.json')])
    assert.equal(status, 1)
    const verdicts = stdout.split('\n').filter((line) => /^(flaky|failed again): /.test(line))
    assert.deepEqual(verdicts.toSorted(), [
      `failed again: ${broken}: always › fails`,
      `failed again: ${empty}: no tests`,
      `failed again: ${unreadable}: Uncaught error outside test suite`,
      `flaky: ${flaky}: now and then › fails`,
    ])
  })
})
