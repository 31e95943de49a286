import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileResult } from './reporter.ts'

/** More files than this do not fail by chance. */
const mostFiles = 20

/** What failed and passes now, and what fails now. */
interface Verdict {
  readonly flaky: readonly string[]
  readonly failed: readonly string[]
}

/** Compares what a file said at first with what it says alone; a file that says nothing has failed again. */
export function judge(first: FileResult, again: FileResult | undefined): Verdict {
  if (again === undefined) return { flaky: [], failed: first.failed }
  // A hook that passes is not reported: it has passed where nothing failed and there were tests behind it.
  const allPassed = again.failed.length === 0 && again.passed.length > 0
  const flaky = first.failed.filter((title) => allPassed || again.passed.includes(title))
  const missing = first.failed.filter((title) => !flaky.includes(title) && !again.failed.includes(title))
  return { flaky, failed: [...again.failed, ...missing] }
}

const readResults = (path: string): readonly FileResult[] =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []

/** What fails can leave a server open, which would keep its process for ever: milliseconds for one file. */
const longest = 300_000

/** Runs one file alone, with what it prints; what it says of itself, or nothing where it could not be run. */
function runFile(file: string): FileResult | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-retry-'))
  const results = join(folder, 'results.json')
  const mocha = fileURLToPath(import.meta.resolve('mocha/bin/mocha.js'))
  spawnSync(process.execPath, [mocha, '--exit', '--config', '.mocharc.one.json', file], {
    stdio: 'inherit',
    timeout: longest,
    env: { ...process.env, GATEHOUSE_TEST_RESULTS: results },
  })
  const found = readResults(results).find((result) => result.file === file)
  rmSync(folder, { recursive: true })
  return found
}

/** Runs the files in which something failed once more, one after the other, and says what was flaky and what was not. */
function retry(path: string): boolean {
  const first = readResults(path).filter(({ failed }) => failed.length > 0)
  const isTried = first.length <= mostFiles
  const verdicts = first.map((result) => ({
    file: result.file,
    ...judge(result, isTried ? runFile(result.file) : undefined),
  }))
  const lines = (word: string, titles: (verdict: Verdict) => readonly string[]): string[] =>
    verdicts.flatMap((verdict) => titles(verdict).map((title) => `${word}: ${verdict.file}: ${title}`))
  const failed = lines('failed again', (verdict) => verdict.failed)
  for (const line of [...lines('flaky', (verdict) => verdict.flaky), ...failed]) console.log(line)
  return failed.length === 0
}

const [results] = process.argv.slice(2)
if (import.meta.main) process.exitCode = results !== undefined && retry(results) ? 0 : 1
