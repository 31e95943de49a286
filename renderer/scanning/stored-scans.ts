import type { Entry } from './entries.ts'

/** Where scans outlive the page that they were made at: those not sent yet, and those answered late. */
export interface ScanStorage {
  /** Hands over what pages that are gone have left, once it is known that they are gone. */
  readonly inherit: (take: (entries: readonly Entry[]) => void) => void
  readonly write: (entries: readonly Entry[]) => void
}

/** How the tabs of one browser reach each other. */
interface Tabs {
  readonly say: (message: TabMessage) => void
  readonly hear: (listener: (message: TabMessage) => void) => void
}

interface StorageParts {
  readonly memory: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
  readonly tabs: Tabs
  /** The name of this page, which no other one has. */
  readonly page: string
  readonly after: (milliseconds: number, then: () => void) => void
}

/** What tabs say to each other: a new one asks who is there, the others answer. */
export type TabMessage = { readonly type: 'asks' } | { readonly type: 'is-here'; readonly page: string }

const prefix = 'gatehouse.kept'
/** Milliseconds in which a tab that is there answers. One that does not only has its scans sent twice, as the same scan. */
const answersWithin = 500

/**
 * Keeps the scans of one page in the browser's storage, under a key of its own: two tabs never write over each other's.
 * What cannot be read there any more is left out.
 */
export function scanStorage({ memory, tabs, page, after }: StorageParts): ScanStorage {
  const own = `${prefix}.${page}`
  const others = new Set<string>()
  tabs.hear((message) => {
    if (message.type === 'is-here') others.add(`${prefix}.${message.page}`)
    else tabs.say({ type: 'is-here', page })
  })
  return {
    inherit(take) {
      const left = keysOf(memory).filter((key) => key !== own)
      if (left.length === 0) return
      tabs.say({ type: 'asks' })
      after(answersWithin, () => {
        const orphaned = left.filter((key) => !others.has(key))
        const entries = orphaned.flatMap((key) => entriesIn(memory.getItem(key)))
        if (entries.length > 0) take(entries.sort((a, b) => (a.read.at < b.read.at ? -1 : 1)))
        // They are this page's by now, which has stored them.
        for (const key of orphaned) memory.removeItem(key)
      })
    },
    write(entries) {
      if (entries.length === 0) memory.removeItem(own)
      else memory.setItem(own, JSON.stringify(entries))
    },
  }
}

const keysOf = (memory: StorageParts['memory']): readonly string[] =>
  Array.from({ length: memory.length }, (_, index) => memory.key(index) ?? '').filter(
    (key) => key === prefix || key.startsWith(`${prefix}.`),
  )

function entriesIn(text: string | null): readonly Entry[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter(isEntry) : []
  } catch {
    return []
  }
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'key' in value && 'read' in value && 'ask' in value
