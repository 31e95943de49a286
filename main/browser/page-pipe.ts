import type { Readable, Writable } from 'node:stream'
import { pageLock } from './page-lock.ts'

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
    readonly targetInfo?: { readonly targetId: string; readonly type: string; readonly url?: string }
    readonly targetId?: string
  }
}

/** How a page is steered. */
interface Steering {
  readonly onCrash: () => void
  /** Whether there is that page alone, on the origin of its address, and the browser's own keys do nothing. */
  readonly isLocked: boolean
}

/** The dialogue of a page that prints. */
const printing = 'chrome://print/'

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)

/**
 * Speaks the Chrome DevTools protocol over the pipe of `--remote-debugging-pipe` (JSON texts, each ended by a
 * zero byte), just enough to load a page, to keep it alone, and to hear of its crash. Nobody but the parent can use this pipe.
 */
export function steerPage(input: Writable, output: Readable, { onCrash, isLocked }: Steering): PagePipe {
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

  function lock(): void {
    if (session === null) return
    send('Browser.setDownloadBehavior', { behavior: 'deny' })
    send('Page.enable', {}, session)
    send('Page.addScriptToEvaluateOnNewDocument', { source: pageLock, runImmediately: true }, session)
  }

  /** Whether the page has gone to where nobody sent it; the empty one of the start is nowhere. */
  const isElsewhere = (url = ''): boolean =>
    wanted !== null && url !== '' && !url.startsWith('data:') && originOf(url) !== originOf(wanted)

  function receive({ method, params }: Message): void {
    const info = params?.targetInfo
    if (method === 'Target.targetCreated' && info?.type === 'page') {
      if (target === null) {
        target = info.targetId
        send('Target.attachToTarget', { targetId: target, flatten: true })
      } else if (isLocked && target !== info.targetId && info.url !== printing)
        send('Target.closeTarget', { targetId: info.targetId })
    } else if (method === 'Target.attachedToTarget' && info?.targetId === target) {
      session = params?.sessionId ?? null
      if (isLocked) lock()
      load()
    } else if (method === 'Target.targetInfoChanged' && info?.targetId === target) {
      if (isLocked && isElsewhere(info?.url)) load()
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
