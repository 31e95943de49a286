import { type ReadonlySignal, signal } from '@preact/signals'
import type { UpdateStatus } from '../../schema/updates/update-status.ts'
import type { LinkApi } from '../api/link-api.ts'

/** What has become of an update since somebody has looked at this screen. */
export interface UpdateNews {
  readonly kind: 'updated' | 'failed' | 'no room'
  readonly version: string
}

/** How this station is updated, as its screens see it and say when. */
export interface OwnUpdate {
  /** How far this station is with its own updates; null until that is known. */
  readonly update: ReadonlySignal<UpdateStatus | null>
  /** What nobody here has taken note of yet. */
  readonly updateNews: ReadonlySignal<UpdateNews | null>
  readonly heardUpdate: (update: UpdateStatus) => void
  readonly tookNote: () => void
  readonly lookForUpdate: () => Promise<void>
  /** Says when the update that waits is to be installed; the objection in words, empty where there is none. */
  readonly decideUpdate: (when: 'now' | 'not_today') => Promise<string>
}

const versionKey = 'gatehouse.version'
const failureKey = 'gatehouse.failed-update'

/** Opens it; what was seen outlives a reload of the page, which each update is. */
export function openOwnUpdate(api: LinkApi, memory: Pick<Storage, 'getItem' | 'setItem'>): OwnUpdate {
  const update = signal<UpdateStatus | null>(null)
  const news = signal<UpdateNews | null>(null)

  function heard(next: UpdateStatus): void {
    update.value = next
    const { version, failed } = next
    const before = memory.getItem(versionKey)
    memory.setItem(versionKey, version)
    if (failed && memory.getItem(failureKey) !== failed.at)
      news.value = { kind: failed.reason === 'no room' ? 'no room' : 'failed', version: failed.version }
    else if (before !== null && before !== version) news.value = { kind: 'updated', version }
  }

  return {
    update,
    updateNews: news,
    heardUpdate: heard,
    tookNote() {
      const failed = update.value?.failed
      if (failed) memory.setItem(failureKey, failed.at)
      news.value = null
    },
    async lookForUpdate() {
      const answer = await api.update()
      if (answer.ok) heard(answer.value)
    },
    async decideUpdate(when) {
      const answer = await api.decideUpdate(when)
      if (answer.ok) heard(answer.value)
      return answer.ok ? '' : answer.problem.detail || answer.problem.kind
    },
  }
}
