import { EventEmitter } from 'node:events'
import type { RequestListener, ServerOptions } from 'node:http'
import { programInTurn } from './turns.ts'

// A server that listens on no port: what the network of the simulation brings is given to it as it is.

export * from 'node:http'

class NoServer extends EventEmitter {
  readonly #listener: RequestListener
  readonly #program = programInTurn()

  constructor(listener: RequestListener) {
    super()
    this.#listener = listener
  }

  listen(_port: number, _host: string, ready: () => void): this {
    this.#program.answer = (request, response) => {
      // What the network brings is whole.
      request.complete = true
      this.#listener(request, response)
    }
    this.#program.onEnd.add(() => this.emit('close'))
    ready()
    return this
  }

  address(): { port: number } {
    return { port: 80 }
  }

  close(closed: () => void): this {
    this.#program.answer = null
    closed()
    return this
  }
}

/** Makes a server for the program whose turn it is. */
export const createServer = (_options: ServerOptions, listener: RequestListener): NoServer =>
  new NoServer(listener)
