import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Knows on which connections of a server nothing is being asked. Browsers open some in advance, which do not count as
 * idle to the server itself because they were never used, and so keep it from closing. `closeUnused` closes these, and those in use once they are answered.
 */
export function watchConnections(server: Server): { closeUnused(): void } {
  const unused = new Set<Socket>()
  let closing = false
  const waits = (socket: Socket): void => {
    if (closing) socket.end()
    else if (!socket.destroyed) unused.add(socket)
  }
  server.on('connection', (socket: Socket) => {
    waits(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }, answer) => {
    unused.delete(socket)
    answer.once('close', () => waits(socket))
  })
  return {
    closeUnused() {
      closing = true
      for (const socket of unused) socket.destroy()
    },
  }
}
