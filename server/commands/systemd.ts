import { spawn } from 'node:child_process'
import type { Env } from '../env.ts'
import type { Log } from '../log.ts'

/** Tells the service manager how a server is. */
export interface ServiceManager {
  ready(): void
  stopping(): void
}

/** The words of systemd's protocol, see sd_notify(3). */
type Word = 'READY=1' | 'STOPPING=1' | 'WATCHDOG=1'

/**
 * Tells systemd when the server is ready and when it stops, and as long as it runs, twice in each span after which systemd
 * takes it for hung (`WATCHDOG_USEC`). Does nothing where systemd has not asked for that. Node cannot write to a socket of
 * that kind, so systemd's own `systemd-notify` does.
 */
export function tellSystemd(
  env: Env,
  log: Log,
  { NOTIFY_SOCKET: socket, WATCHDOG_USEC: microseconds, WATCHDOG_PID: pid }: NodeJS.ProcessEnv,
): ServiceManager {
  if (!socket) return { ready() {}, stopping() {} }
  const isWatched = microseconds !== undefined && (pid === undefined || pid === String(process.pid))
  const pause = Number(microseconds) / 2000
  let isStopping = false
  let hasFailed = false

  const note = (why: string | null): void => {
    if (why !== null && !hasFailed) log.warn('systemd not told', { why })
    hasFailed = why !== null
  }

  const tell = (word: Word): void => {
    const child = spawn('systemd-notify', [word], { stdio: 'ignore' })
    child.once('error', ({ message }) => note(message))
    child.once('exit', (code) => note(code === 0 ? null : `systemd-notify ended with ${code}`))
  }

  const beat = (): void => {
    if (isStopping) return
    tell('WATCHDOG=1')
    env.after(pause, beat)
  }

  return {
    ready() {
      tell('READY=1')
      if (isWatched && pause > 0) beat()
    },
    stopping() {
      isStopping = true
      tell('STOPPING=1')
    },
  }
}
