import type { Shelf } from './desk.ts'
import type { Entry } from './entries.ts'

const key = 'gatehouse.kept'

/** Keeps scans in the browser's own storage; what cannot be read there any more is left alone. */
export const shelfIn = (memory: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Shelf => ({
  read() {
    try {
      const kept: unknown = JSON.parse(memory.getItem(key) ?? '[]')
      return Array.isArray(kept) ? kept.filter(isEntry) : []
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
