import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url))

/** What a command said and how it ended. */
interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const children = new Set<ChildProcess>()

// A test that fails may leave its server behind, for which the test run would wait.
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** What a program is told beside its arguments. */
interface Told {
  readonly input?: string | undefined
  readonly env?: Readonly<Record<string, string>>
  /** An open file that takes what it says on standard error. */
  readonly stderr?: number
  /** The folder of another version of the program. */
  readonly program?: string
}

/** Starts the real command-line program; nothing of our own environment but where programs are. */
export function startCli(args: readonly string[], { input, env, stderr, program }: Told = {}): ChildProcess {
  const started = program === undefined ? script : join(program, 'server/cli.ts')
  const child = spawn(process.execPath, [started, ...args], {
    stdio: ['pipe', 'pipe', stderr ?? 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: tmpdir(),
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...env,
    },
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  child.stdin?.end(input)
  return child
}

/** What a program says on one of its streams until it ends. */
const allOf = async (child: ChildProcess, stream: 'stdout' | 'stderr'): Promise<string> => {
  let text = ''
  child[stream]?.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  await once(child, 'close')
  return text
}

/** Waits for a command to end. */
async function ended(child: ChildProcess): Promise<Ended> {
  const [out, err] = await Promise.all([allOf(child, 'stdout'), allOf(child, 'stderr')])
  return { code: child.exitCode, out, err }
}

/** Runs the command-line program to its end. */
export const runCli = (args: readonly string[], input?: string): Promise<Ended> =>
  ended(startCli(args, { input }))

/** The one line of JSON that a command has printed. */
export function printed({ code, out, err }: Ended): Record<string, unknown> {
  assert.match(out, /^\{.*\}\n$/, `not one line of JSON but ${JSON.stringify(out)}, ${code}: ${err}`)
  return JSON.parse(out)
}

/** The arguments of the command line that is proposed at the end of what was said. */
export function proposed(said: string): string[] {
  const line = /: npx gatehouse (.+)\n$/.exec(said)?.[1]
  assert.ok(line, `no command line is proposed in ${JSON.stringify(said)}`)
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, one, two, bare]) => one ?? two ?? bare ?? '',
  )
}

/** What a command prints that must succeed. */
export async function made(args: readonly string[], input?: string): Promise<Record<string, unknown>> {
  const done = await runCli(args, input)
  assert.equal(done.code, 0, done.err)
  return printed(done)
}

/** A command must refuse: nothing on standard output, one sentence for users, no trace of the program's inside. */
export async function refused(args: readonly string[], sentence: RegExp, input?: string): Promise<void> {
  const { code, out, err } = await runCli(args, input)
  assert.deepEqual({ code, out }, { code: 1, out: '' }, err)
  assert.match(err, sentence)
  assert.doesNotMatch(err, /^\s+at |Error:|node:internal/m)
}

/** A server that runs as a program. */
export interface Served {
  readonly child: ChildProcess
  /** What it printed when it was ready. */
  readonly line: Record<string, unknown>
  readonly url: string
  /** Asks it to stop; what it ended with. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Starts a server as a program, on a free port; resolves once it is ready. */
export async function serveCli(args: readonly string[], told: Omit<Told, 'input'> = {}): Promise<Served> {
  const child = startCli(['serve', '--port', '0', ...args], told)
  const whole = ended(child)
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ''
  child.stdout?.on('data', (part: string) => {
    text += part
    if (text.endsWith('\n')) resolve(text)
  })
  const line = await Promise.race([promise, whole])
  if (typeof line !== 'string') throw new Error(`The server ended before it was ready: ${line.err}`)
  const ready: Record<string, unknown> = JSON.parse(line)
  return {
    child,
    line: ready,
    url: String(ready.url),
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return whole
    },
  }
}

/** Folders for the tests of one suite, gone after it. */
export function temporaryFolders(prefix: string): () => string {
  const folders: string[] = []
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const folder = mkdtempSync(join(tmpdir(), `${prefix} `))
    folders.push(folder)
    return folder
  }
}
