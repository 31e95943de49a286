// A program that begins to load, to search and to export in threads, and breaks each off at another moment.

import { setTimeout as pass } from 'node:timers/promises'
import { exportInThread } from '../../../server/exporters/run/export-thread.ts'
import type { ExportTask } from '../../../server/exporters/run/run-export.ts'
import { beginLoadInThread } from '../../../server/sync/replica/load-thread.ts'
import { beginSearchBeside } from '../../../server/sync/replica/search-beside.ts'

const [folder = '', count = ''] = process.argv.slice(2)
const identity = { organizer: 1, site: 5, siteEnd: 6, epoch: 'own' }

const task: ExportTask = {
  exporter: 'orderlist',
  level: 'organizer',
  organizer: { id: 1, slug: 'acme' },
  events: [],
  wishes: {},
  permissions: [],
  origin: 'http://127.0.0.1',
  now: '2026-01-01T00:00:00.000000Z',
}

const beginnings: readonly ((file: string) => () => Promise<void>)[] = [
  (file) => {
    const search = beginSearchBeside({ file, into: `${file}-into`, gently: false })
    return () => search.close()
  },
  (file) => {
    const load = beginLoadInThread({ file, identity, gently: false })
    return () => load.close()
  },
  (file) => {
    const data = { kind: 'sqlite', file: `${file}-not-there` } as const
    const exporting = exportInThread({ data, task, file }, () => undefined)
    exporting.ended.catch(() => undefined)
    return () => exporting.stop()
  },
]

/** A thread loads its driver within half a second of its beginning. */
const within = 500
const together = 20

for (let first = 0; first < Number(count); first += together)
  await Promise.all(
    Array.from({ length: together }, async (_, index) => {
      const begin = beginnings[index % beginnings.length]
      const end = begin?.(`${folder}/${first + index}`)
      await pass((within * index) / together)
      await end?.()
    }),
  )
process.stdout.write('ended')
