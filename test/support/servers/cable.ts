import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** What stands between a server and its database: it can be cut, and lead to another one. */
export class Cable {
  #real: URL
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null
  #port = 0

  constructor(real: string) {
    this.#real = new URL(real)
  }

  /** The address at its near end, the same each time. */
  async plug(): Promise<string> {
    const server = createServer((socket) => {
      const end = connect(Number(this.#real.port || 5432), this.#real.hostname)
      for (const [one, other] of [
        [socket, end],
        [end, socket],
      ] as const) {
        this.#sockets.add(one)
        one.on('error', () => other.destroy()).on('close', () => this.#sockets.delete(one) && other.destroy())
        one.pipe(other)
      }
    })
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
    const shown = new URL(this.#real)
    shown.host = `127.0.0.1:${this.#port}`
    return shown.href
  }

  /** Has it lead elsewhere from now on, as an address does that another machine takes over. */
  lead(real: string): void {
    this.#real = new URL(real)
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve))
    for (const socket of this.#sockets) socket.resetAndDestroy()
    await closed
  }
}
