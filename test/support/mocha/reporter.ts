import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import Mocha from 'mocha'

const { EVENT_HOOK_END, EVENT_RUN_END, EVENT_TEST_BEGIN, EVENT_TEST_FAIL, EVENT_TEST_PASS } =
  Mocha.Runner.constants

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** What a run has seen of a file of tests; hooks and files that fail are among what failed, by their titles. */
export interface FileResult {
  readonly file: string
  readonly seconds: number
  readonly passed: readonly string[]
  readonly failed: readonly string[]
}

interface Seen {
  milliseconds: number
  readonly passed: string[]
  readonly failed: string[]
}

/** What Mocha adds to the options when it runs: the paths of all files. */
interface Options extends Mocha.MochaOptions {
  readonly files?: readonly string[]
}

const isInFile = (value: unknown): value is { file: string } =>
  value instanceof Object && 'file' in value && typeof value.file === 'string'

const titleOf = (test: Mocha.Runnable): string => test.titlePath().join(' › ')

/** What Mocha prints anyway, and at the end a file that says of every file of tests what failed in it and how long it took. */
class Reporter extends Mocha.reporters.Spec {
  readonly #files = new Map<string, Seen>()
  readonly #paths: readonly string[]

  constructor(runner: Mocha.Runner, options: Options) {
    super(runner, options)
    this.#paths = (options.files ?? []).map((path) => relative(root, path))
    const files = this.#files
    // Hooks for all tests belong to no file: they are counted to the one whose test has just begun.
    let latest = 'unknown'
    const seenIn = (runnable: object): Seen => {
      const file = isInFile(runnable) ? relative(root, runnable.file) : latest
      const seen = files.get(file) ?? { milliseconds: 0, passed: [], failed: [] }
      files.set(file, seen)
      return seen
    }
    const addTime = (runnable: Mocha.Runnable): void => {
      seenIn(runnable).milliseconds += runnable.duration ?? 0
    }
    runner.on(EVENT_TEST_BEGIN, (test) => {
      if (isInFile(test)) latest = relative(root, test.file)
    })
    runner.on(EVENT_HOOK_END, addTime)
    runner.on(EVENT_TEST_PASS, (test) => {
      addTime(test)
      seenIn(test).passed.push(titleOf(test))
    })
    runner.on(EVENT_TEST_FAIL, (test, error: unknown) => {
      addTime(test)
      // A file that cannot be read fails outside of any test: only the error knows its name.
      seenIn(isInFile(error) ? error : test).failed.push(titleOf(test))
    })
    // Not once: where a file cannot be read the run ends for each such file, and again at its end.
    runner.on(EVENT_RUN_END, () => writeResults(files))
  }

  /** A file without tests fails the run, and no test would say so. */
  override done(failures: number, fn: (failures: number) => void): void {
    const empty = this.#paths.filter((file) => !this.#files.has(file))
    for (const file of empty) {
      this.#files.set(file, { milliseconds: 0, passed: [], failed: ['no tests'] })
      process.stdout.write(`  ${file}: no tests\n`)
    }
    if (empty.length > 0) writeResults(this.#files)
    fn(failures)
  }
}

function writeResults(files: ReadonlyMap<string, Seen>): void {
  const results = [...files]
    .map(([file, { milliseconds, passed, failed }]): FileResult => {
      return { file, seconds: milliseconds / 1000, passed, failed }
    })
    .sort((one, other) => other.seconds - one.seconds)
  const path = process.env.GATEHOUSE_TEST_RESULTS ?? `${root}test-output/results.json`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`)
}

export default Reporter
