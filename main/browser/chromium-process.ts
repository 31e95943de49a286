import { spawn } from 'node:child_process'
import { readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import type { Answers } from '../common/channels.ts'
import type { ShellClock } from '../common/clock.ts'
import { afterLastWords, keepLastLines, type ShellLog } from '../common/log.ts'
import { countCrashes } from '../common/recovery.ts'
import { type Child, type Exit, keepRunning, type SupervisedServer } from '../server/keep-running.ts'
import { chromiumEnv } from './chromium.ts'
import { type PagePipe, steerPage } from './page-pipe.ts'

/** A Chromium to keep open. */
interface ChromiumProcessOptions {
  readonly program: string
  readonly args: readonly string[]
  /** See steerPage. */
  readonly isLocked: boolean
  readonly answers: Answers
  /** The folder of its profile, which is this station's alone. */
  readonly profile: string
  readonly clock: ShellClock
  readonly log: ShellLog
  /** The user has closed the window; says whether it is opened again. */
  readonly onClosed: () => 'open again' | 'leave closed'
}

/** A Chromium that is started again when it ends. */
export interface SupervisedChromium extends SupervisedServer {
  /** Loads this address, now and after every start. */
  show(url: string): void
}

interface ChromiumChild extends Child {
  readonly page: PagePipe
}

const WINDOWS = process.platform === 'win32'

/** Opens Chromium and opens it again when it ends; loads its page again when that crashes. */
export function keepChromium(options: ChromiumProcessOptions): SupervisedChromium {
  const { profile, clock, log, onClosed } = options
  let page: PagePipe | null = null
  let wanted: string | null = null

  function start(): ChromiumChild {
    forgetOtherHost(profile)
    const child = openChromium(options, () => {
      if (wanted !== null) page?.navigate(wanted)
    })
    page = child.page
    if (wanted !== null) page.navigate(wanted)
    return child
  }

  const kept = keepRunning({
    name: 'Chromium',
    start,
    clock,
    log,
    stopWithin: 5000,
    // A window closed by hand ends with 0; everything else is a crash.
    again: ({ code }) => code !== 0 || onClosed() === 'open again',
  })
  return {
    show(url) {
      wanted = url
      page?.navigate(url)
    },
    stop: kept.stop,
  }
}

function openChromium(options: ChromiumProcessOptions, reload: () => void): ChromiumChild {
  const { program, args, clock, log, isLocked, answers, profile } = options
  const tooMany = countCrashes(clock)
  const child = spawn(program, [...args], {
    env: chromiumEnv(process.platform, process.env, profile),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // Its own group: a Ctrl+C in the terminal does not reach it before the shell, and its helpers end with it.
    detached: !WINDOWS,
  })
  const input = child.stdio[3] as Writable
  const output = child.stdio[4] as Readable
  const stderr = child.stderr ?? new PassThrough()
  const lastLines = keepLastLines(stderr, () => {})
  const kill = () => killGroup(child.pid, () => child.kill('SIGKILL'))
  const onCrash = (): void => {
    log('The page in Chromium has crashed')
    if (tooMany()) kill()
    else reload()
  }
  const page = steerPage(input, output, { onCrash, isLocked, answers })

  function explain({ code }: Exit): void {
    if (code !== 0 && lastLines() !== '') log(`Chromium’s last words:\n${lastLines()}`)
  }

  return {
    pid: child.pid,
    page,
    onExit(act) {
      const ended = (exit: Exit) => {
        input.destroy()
        explain(exit)
        act(exit)
      }
      child.once('exit', (code, signal) => afterLastWords(stderr, () => ended({ code, signal })))
      child.once('error', (error) => {
        log(`${program} cannot be started: ${error.message}`)
        if (child.pid === undefined) ended({ code: null, signal: null })
      })
    },
    terminate: page.close,
    kill,
  }
}

function killGroup(pid: number | undefined, killOne: () => void): void {
  try {
    if (pid === undefined || WINDOWS) killOne()
    else process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

// Chromium refuses a profile that was in use when the machine had another name. The station's lock says that
// nobody uses this one.
function forgetOtherHost(profile: string): void {
  const lock = join(profile, 'SingletonLock')
  try {
    if (!readlinkSync(lock).startsWith(`${hostname()}-`)) rmSync(lock, { force: true })
  } catch {
    // There is no lock, or not one of that kind.
  }
}
