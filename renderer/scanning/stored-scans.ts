import type { ScanStorage } from './desk.ts'
import type { Entry } from './entries.ts'

const key = 'gatehouse.kept'

/** Keeps scans in the browser's own storage; what cannot be read there any more is left out. */
export const scanStorage = (memory: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): ScanStorage => ({
  read() {
    try {
      const stored: unknown = JSON.parse(memory.getItem(key) ?? '[]')
      return Array.isArray(stored) ? stored.filter(isEntry) : []
    } catch {
      return []
    }
  },
  write(entries) {
    if (entries.length === 0) memory.removeItem(key)
    else memory.setItem(key, JSON.stringify(entries))
  },
})

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'key' in value && 'read' in value && 'ask' in value
