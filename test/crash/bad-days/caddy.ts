import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { until } from '../../support/servers/nodes.ts'

const program = '/usr/bin/caddy'

/** Whether Debian's Caddy is installed. */
export const hasCaddy = existsSync(program)

const file = fileURLToPath(new URL('../../../docs/proxy/Caddyfile', import.meta.url))

/** What somebody hears through the proxy, by HTTP/2. */
interface Heard {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** A proxy with the configuration of the documentation, at `localhost`. */
export interface Caddy {
  readonly url: string
  /** The certificate that has signed its own. */
  readonly authority: string
  ask(
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<Heard>
  /** Begins to listen to a stream; resolves with the first that comes of it, and ends it. */
  firstOf(path: string, headers: Readonly<Record<string, string>>): Promise<string>
  stop(): Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
  })

/** Starts it before some servers. */
export async function startCaddy(servers: readonly string[]): Promise<Caddy> {
  const [http, https] = await Promise.all([freePort(), freePort()])
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-caddy-'))
  const own = join(home, 'Caddyfile')
  // Nothing but this machine is to reach it, and it is not to meet another one here.
  writeFileSync(own, readFileSync(file, 'utf8').replace('{\n', '{\n\tadmin off\n\tdefault_bind 127.0.0.1\n'))
  const child = spawn(program, ['run', '--config', own, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: {
      ...{ HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
      ...{ GATEHOUSE_HTTP_PORT: String(http), GATEHOUSE_HTTPS_PORT: String(https) },
      ...{
        GATEHOUSE_SITE: 'localhost',
        GATEHOUSE_SERVERS: servers.map((url) => new URL(url).host).join(' '),
      },
    },
  })
  const authority = join(home, 'caddy', 'pki', 'authorities', 'local', 'root.crt')
  const url = `https://localhost:${https}`
  const open = () =>
    connect(`https://127.0.0.1:${https}`, { ca: readFileSync(authority), servername: 'localhost' })
  const toIt = { ':authority': new URL(url).host }
  const caddy: Caddy = {
    url,
    authority,
    async ask(method, path, headers = {}, body) {
      const session = open()
      const { promise, resolve, reject } = Promise.withResolvers<Heard>()
      session.on('error', reject)
      const request = session.request({
        ...toIt,
        ':method': method,
        ':path': path,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      })
      request.on('error', reject)
      request.on('response', async (answered) => {
        const { ':status': status = 0, ...rest } = answered
        resolve({ status, headers: rest, body: await text(request) })
      })
      request.end(body === undefined ? undefined : JSON.stringify(body))
      return promise.finally(() => session.close())
    },
    async firstOf(path, headers) {
      const session = open()
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      session.on('error', reject)
      const request = session.request({ ...toIt, ':path': path, ...headers })
      request.on('error', reject)
      request.setEncoding('utf8').once('data', resolve)
      request.once('end', () => reject(new Error('The stream ended before anything came.')))
      return promise.finally(() => session.destroy())
    },
    async stop() {
      const gone = ended(child)
      child.kill()
      await gone
      rmSync(home, { recursive: true, force: true })
    },
  }
  await until('the proxy answers', async () => {
    if (child.exitCode !== null) throw new Error('Caddy has ended.')
    if (!existsSync(authority)) return false
    const { status } = await caddy.ask('GET', '/healthz').catch(() => ({ status: 0 }))
    return status === 200
  })
  return caddy
}
