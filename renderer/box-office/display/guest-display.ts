import type { CustomerDisplay } from '../../../schema/bodies/customer-display.ts'
import type { DisplayApi } from '../../api/display-api.ts'

/** What tells the displays of a till. */
export interface GuestDisplay {
  /** Has them show something, where that has changed and anybody listens. */
  tell(shown: CustomerDisplay): void
  /** A display was opened at the till with an id. */
  asked(till: string): void
}

/**
 * Tells the displays of a till what its guest is to see. Nothing waits for them, and nothing is told again because it was
 * not heard: the next change is told as well, and a display that was opened anew has everything told.
 */
export function openGuestDisplay(api: Pick<DisplayApi, 'show'>, till: string): GuestDisplay {
  let latest: CustomerDisplay | null = null
  let told: CustomerDisplay | null = null
  /** Nobody has said yet that there is no display. */
  let isWatched = true
  let isTelling = false

  async function tell(): Promise<void> {
    if (isTelling) return
    isTelling = true
    while (latest !== null && isWatched && told !== latest) {
      const now = latest
      told = now
      const answer = await api.show(till, now)
      if (!answer.ok) break
      // A display that was opened meanwhile has asked by itself.
      if (told === now) isWatched = answer.value.displays > 0
    }
    isTelling = false
  }

  return {
    tell(shown) {
      if (JSON.stringify(shown) === JSON.stringify(latest)) return
      latest = shown
      void tell()
    },
    asked(id) {
      if (id !== till) return
      isWatched = true
      told = null
      void tell()
    },
  }
}
