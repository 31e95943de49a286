import type { Readable, Writable } from 'node:stream'
import type { Answers } from '../common/channels.ts'
import { answerCall, callBinding, pageBridge } from './page-bridge.ts'
import { pageLock } from './page-lock.ts'

/** Steers the one page of a Chromium. */
export interface PagePipe {
  /** Loads an address, as soon as there is a page. */
  navigate(url: string): void
  /** Asks the whole browser to end in order. */
  close(): void
}

/** Where scripts run: of which origin, in which frame. */
interface Context {
  readonly id: number
  readonly origin: string
  readonly auxData?: { readonly frameId?: string; readonly isDefault?: boolean }
}

interface Message {
  /** Of which request this is the answer. */
  readonly id?: number
  readonly method?: string
  readonly params?: {
    readonly sessionId?: string
    readonly targetInfo?: { readonly targetId: string; readonly type: string; readonly url?: string }
    readonly targetId?: string
    readonly context?: Context
    readonly name?: string
    readonly payload?: string
    readonly executionContextId?: number
  }
}

/** How a page is steered. */
interface Steering {
  readonly onCrash: () => void
  /** Whether there is that page alone, on the origin of its address, and the browser's own keys do nothing. */
  readonly isLocked: boolean
  /** What the page may ask of the shell. */
  readonly answers: Answers
}

/** The dialogue of a page that prints. */
const printing = 'chrome://print/'

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)

/** What a page is given before it is loaded: its shell, and its lock. */
function preparations(isLocked: boolean): readonly (readonly [method: string, params: object])[] {
  const onEveryLoad = 'Page.addScriptToEvaluateOnNewDocument'
  return [
    ['Page.enable', {}],
    ['Runtime.enable', {}],
    ['Runtime.addBinding', { name: callBinding }],
    [onEveryLoad, { source: pageBridge }],
    ...(isLocked ? [[onEveryLoad, { source: pageLock, runImmediately: true }] as const] : []),
  ]
}

/** Whether scripts there are those of the station's own page, and not of a frame in it or of another site. */
function isOwnPage({ origin, auxData }: Context, wanted: string | null, target: string | null): boolean {
  const isWanted = wanted !== null && origin === originOf(wanted)
  return isWanted && auxData?.isDefault === true && auxData.frameId === target
}

function readMessages(output: Readable, receive: (message: Message) => void): void {
  let rest = ''
  output.setEncoding('utf8')
  output.on('data', (text: string) => {
    const messages = `${rest}${text}`.split('\0')
    rest = messages.pop() ?? ''
    for (const message of messages) receive(JSON.parse(message))
  })
}

/**
 * Speaks the Chrome DevTools protocol over the pipe of `--remote-debugging-pipe` (JSON texts, each ended by a
 * zero byte), just enough to load a page, to keep it alone, and to hear of its crash. Nobody but the parent can use this pipe.
 */
export function steerPage(
  input: Writable,
  output: Readable,
  { onCrash, isLocked, answers }: Steering,
): PagePipe {
  let id = 0
  let target: string | null = null
  let session: string | null = null
  let wanted: string | null = null
  let ownContext: number | null = null
  /** The last request of the preparations: whatever is loaded before its answer may lack its shell and its lock. */
  let preparing = 0
  let isPrepared = false

  function send(method: string, params: object, sessionId?: string): void {
    id++
    if (input.writable) input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
  }

  function load(): void {
    if (isPrepared && session !== null && wanted !== null) send('Page.navigate', { url: wanted }, session)
  }

  async function answer(contextId: number, question: string): Promise<void> {
    const expression = await answerCall(answers, question)
    if (expression !== null && session !== null) send('Runtime.evaluate', { expression, contextId }, session)
  }

  /** Whether the page has gone to where nobody sent it; the empty one of the start is nowhere. */
  const isElsewhere = (url = ''): boolean =>
    wanted !== null && url !== '' && !url.startsWith('data:') && originOf(url) !== originOf(wanted)

  function receive({ id: answered, method, params }: Message): void {
    const info = params?.targetInfo
    if (answered !== undefined && answered === preparing) {
      isPrepared = true
      load()
    } else if (method === 'Target.targetCreated' && info?.type === 'page') {
      if (target === null) {
        target = info.targetId
        send('Target.attachToTarget', { targetId: target, flatten: true })
      } else if (isLocked && target !== info.targetId && info.url !== printing)
        send('Target.closeTarget', { targetId: info.targetId })
    } else if (method === 'Target.attachedToTarget' && info?.targetId === target) {
      session = params?.sessionId ?? null
      if (isLocked) send('Browser.setDownloadBehavior', { behavior: 'deny' })
      for (const [name, given] of preparations(isLocked)) send(name, given, session ?? undefined)
      preparing = id
    } else if (method === 'Runtime.executionContextCreated' && params?.context) {
      if (isOwnPage(params.context, wanted, target)) ownContext = params.context.id
    } else if (method === 'Runtime.executionContextsCleared') {
      ownContext = null
    } else if (method === 'Runtime.bindingCalled' && params?.name === callBinding) {
      if (params.executionContextId === ownContext && params.payload) void answer(ownContext, params.payload)
    } else if (method === 'Target.targetInfoChanged' && info?.targetId === target) {
      if (isLocked && isElsewhere(info?.url)) load()
    } else if (method === 'Target.targetDestroyed' && params?.targetId === target) {
      target = null
      session = null
      isPrepared = false
    } else if (method === 'Target.targetCrashed' && params?.targetId === target) {
      onCrash()
    }
  }

  readMessages(output, receive)
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
