import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** How a command went on a machine. */
export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A server that runs on a machine. */
export interface MachineServer {
  readonly url: string
  /** Asks it to stop, and answers its exit code. */
  stop(): Promise<number | null>
}

/**
 * A Debian of its own to install packages on: everything that this machine has, with what is changed kept in a folder
 * beside it. The network is this machine's.
 */
export class DebianMachine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gatehouse-machine-'))

  constructor() {
    for (const name of ['changes', 'work', 'root']) mkdirSync(join(this.#folder, name))
  }

  /** What begins a command on it. Only root may mount; elsewhere than as root, sudo is asked for it. */
  #enter(script: string): readonly [string, readonly string[]] {
    const { uid } = { uid: process.getuid?.() }
    const root = join(this.#folder, 'root')
    const layers = `lowerdir=/,upperdir=${this.#folder}/changes,workdir=${this.#folder}/work`
    const mount = [
      `mount -t overlay overlay -o ${layers} ${root}`,
      ...['proc', 'dev', 'sys'].map((name) => `mount --rbind /${name} ${root}/${name}`),
      `mount -t tmpfs tmpfs ${root}/run`,
    ].join(' && ')
    const enter = ['unshare', '--mount', 'sh', '-c', `${mount} && exec chroot ${root} sh -c "$0"`, script]
    return uid === 0 ? ['unshare', enter.slice(1)] : ['sudo', ['-n', ...enter]]
  }

  /** Runs a line of shell on it as root. */
  run(script: string): Ran {
    const [program, args] = this.#enter(script)
    const { status, stdout, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
    })
    return { code: status, out: stdout, err: stderr }
  }

  /** Runs a server on it, as soon as that says where it is reached. */
  async serve(script: string): Promise<MachineServer> {
    const [program, args] = this.#enter(`exec ${script}`)
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' },
    })
    const ended = once(child, 'close')
    const url = await readAddress(child, child.stdout, child.stderr)
    return {
      url,
      async stop() {
        child.kill('SIGTERM')
        const [code] = await ended
        return typeof code === 'number' ? code : null
      },
    }
  }

  /** Throws it away. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** The address in the first line that has one; throws with what the program said where it ends before that. */
async function readAddress(child: ChildProcess, out: Readable, err: Readable): Promise<string> {
  const said: string[] = []
  return new Promise((resolve, reject) => {
    for (const stream of [out, err])
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line)
        const url = /"url":"(http:[^"]+)"/.exec(line)?.[1] ?? /(http:\/\/\S+\/open#key=\S+)/.exec(line)?.[1]
        if (url !== undefined) resolve(url)
      })
    child.once('close', () => reject(new Error(`It ended before it was ready:\n${said.join('\n')}`)))
  })
}
