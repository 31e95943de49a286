import type { Env } from '../../env.ts'

/** A place among those who are given a snapshot. */
interface Admitted {
  /** Gives the place back; more than once does nothing. */
  leave(): void
}

/** Whether a device gets a snapshot now, or after how many seconds it should ask again. */
export type SnapshotAdmission = { readonly admitted: Admitted } | { readonly retryAfter: number }

/** Lets a few devices at a time have a snapshot, so that many that start together slow nobody who scans. */
export interface SnapshotAdmissions {
  /**
   * `drop` ends the snapshot that is given when the same device asks for another one, its old connection being dead.
   */
  ask(device: string, drop: () => void): SnapshotAdmission
}

/** Seconds that a snapshot is taken to need before the first was finished. */
const expected = 5
const longestWait = 60

interface Place {
  readonly drop: () => void
}

/** Admits at most `most` devices at a time. */
export function createSnapshotAdmissions(env: Env, most: number): SnapshotAdmissions {
  const inside = new Map<string, Place>()
  /** Those sent away, in the order they came, and until when each keeps its turn. */
  const waiting = new Map<string, number>()
  let usual = expected

  const forgetLate = (): void => {
    for (const [device, until] of waiting) if (until < env.elapsed()) waiting.delete(device)
  }

  function sendAway(device: string): number {
    if (!waiting.has(device)) waiting.set(device, 0)
    const position = [...waiting.keys()].indexOf(device)
    const turn = Math.min((Math.floor(position / most) + 1) * usual, longestWait)
    // Those of the same turn do not all come back at once.
    const [chance = 0] = env.randomBytes(1)
    const seconds = Math.max(1, Math.ceil(turn * (1 + chance / 1024)))
    waiting.set(device, env.elapsed() + seconds * 2000)
    return seconds
  }

  function initializer(device: string, drop: () => void): Admitted {
    waiting.delete(device)
    const place: Place = { drop }
    inside.set(device, place)
    const begun = env.elapsed()
    return {
      leave() {
        if (inside.get(device) !== place) return
        inside.delete(device)
        const took = (env.elapsed() - begun) / 1000
        usual = Math.min(Math.max(usual * 0.7 + took * 0.3, 1), longestWait)
      },
    }
  }

  return {
    ask(device, drop) {
      forgetLate()
      const before = inside.get(device)
      if (before) {
        inside.delete(device)
        before.drop()
      }
      return inside.size < most ? { admitted: initializer(device, drop) } : { retryAfter: sendAway(device) }
    },
  }
}
