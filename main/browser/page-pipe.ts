import type { Readable, Writable } from 'node:stream'

/** Steers the one page of a Chromium. */
export interface PagePipe {
  /** Loads an address, as soon as there is a page. */
  navigate(url: string): void
  /** Asks the whole browser to end in order. */
  close(): void
}

interface Message {
  readonly method?: string
  readonly params?: {
    readonly sessionId?: string
    readonly targetInfo?: { readonly targetId: string; readonly type: string }
    readonly targetId?: string
  }
}

/**
 * Speaks the Chrome DevTools protocol over the pipe of `--remote-debugging-pipe` (JSON texts, each ended by a
 * zero byte), just enough to load a page and to hear of its crash. Nobody but the parent can use this pipe.
 */
export function steerPage(input: Writable, output: Readable, onCrash: () => void): PagePipe {
  let id = 0
  let target: string | null = null
  let session: string | null = null
  let wanted: string | null = null
  let rest = ''

  function send(method: string, params: object, sessionId?: string): void {
    id++
    if (input.writable) input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
  }

  function load(): void {
    if (session !== null && wanted !== null) send('Page.navigate', { url: wanted }, session)
  }

  function receive({ method, params }: Message): void {
    const info = params?.targetInfo
    if (method === 'Target.targetCreated' && info?.type === 'page' && target === null) {
      target = info.targetId
      send('Target.attachToTarget', { targetId: target, flatten: true })
    } else if (method === 'Target.attachedToTarget' && info?.targetId === target) {
      session = params?.sessionId ?? null
      load()
    } else if (method === 'Target.targetDestroyed' && params?.targetId === target) {
      target = null
      session = null
    } else if (method === 'Target.targetCrashed' && params?.targetId === target) {
      onCrash()
    }
  }

  output.setEncoding('utf8')
  output.on('data', (text: string) => {
    const messages = `${rest}${text}`.split('\0')
    rest = messages.pop() ?? ''
    for (const message of messages) receive(JSON.parse(message))
  })
  // The process's end is heard of elsewhere.
  for (const stream of [input, output]) stream.on('error', () => {})
  send('Target.setDiscoverTargets', { discover: true })
  return {
    navigate(url) {
      wanted = url
      load()
    },
    close: () => send('Browser.close', {}),
  }
}
