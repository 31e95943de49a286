import type { Conditions } from '../machines/weather.ts'

/** The check-in lists of the simulated event. */
export const listNames = ['once', 'often', 'reentry', 'ruled'] as const
export type ListName = (typeof listNames)[number]

interface At {
  /** Milliseconds since the beginning. */
  readonly at: number
}

/** Something that people or the world do. What cannot be done at its moment does not happen. */
export type Step = At &
  (
    | {
        readonly kind: 'scan'
        readonly machine: string
        readonly ticket: string
        readonly list: ListName
        readonly type: 'entry' | 'exit'
        readonly force: boolean
        /** With the first code that the ticket had, and not the newest. */
        readonly old: boolean
      }
    /** Takes the last entry of a station back. */
    | { readonly kind: 'undo'; readonly machine: string }
    /** Sells at a station, or on central; `ticket` names the first of the new tickets from then on. */
    | {
        readonly kind: 'sell'
        readonly machine: string
        readonly ticket: string
        readonly product: 'plain' | 'scarce'
        readonly count: number
        readonly atRisk: boolean
      }
    /** Somebody at a till; amounts in hundredths. `off` is by how much what is counted differs from what should be there. */
    | { readonly kind: 'open drawer'; readonly machine: string; readonly float: number }
    | { readonly kind: 'move cash'; readonly machine: string; readonly amount: number }
    | { readonly kind: 'close drawer'; readonly machine: string; readonly off: number }
    /** Gives a part of the newest sale at a till back in cash. */
    | { readonly kind: 'refund'; readonly machine: string }
    | { readonly kind: 'cancel'; readonly ticket: string }
    | { readonly kind: 'regenerate'; readonly ticket: string }
    | { readonly kind: 'rename'; readonly list: ListName; readonly name: string }
    | { readonly kind: 'revoke device'; readonly machine: string }
    /** A program of somebody else lets a ticket in on central, by the interface. */
    | { readonly kind: 'redeem'; readonly ticket: string; readonly list: ListName }
    /** Somebody who has taken a device of an entrance reports what they like to a server. */
    | { readonly kind: 'report falsely'; readonly machine: string }
    | { readonly kind: 'power cut'; readonly machine: string; readonly lasts: number }
    /** The power fails at one of the next commits of a machine, before or after it. */
    | {
        readonly kind: 'die at commit'
        readonly machine: string
        readonly moment: 'before' | 'after'
        readonly commits: number
        readonly lasts: number
      }
    | { readonly kind: 'restart'; readonly machine: string; readonly lasts: number }
    | { readonly kind: 'back up'; readonly machine: string }
    /** Puts the last copy of a machine's disk back; on central with a new epoch, as the command does it. */
    | { readonly kind: 'restore'; readonly machine: string; readonly lasts: number }
    /** Copies the disk of one machine to another one that takes its place beside it. */
    | { readonly kind: 'clone'; readonly machine: string; readonly to: string; readonly lasts: number }
    | { readonly kind: 'set clock'; readonly machine: string; readonly by: number }
    | { readonly kind: 'cut'; readonly directions: readonly string[]; readonly lasts: number }
    | { readonly kind: 'weather'; readonly conditions: Conditions; readonly lasts: number }
    | { readonly kind: 'disk full'; readonly machine: string; readonly ends: boolean; readonly lasts: number }
    /** Everything is switched off for some hours. */
    | { readonly kind: 'night'; readonly lasts: number }
    | { readonly kind: 'disk busy'; readonly machine: string; readonly lasts: number }
  )

/** A machine of a plan: `above` is the one it follows; its clock is this far ahead and this much too fast. */
export interface PlannedMachine {
  readonly name: string
  readonly role: 'central' | 'hub' | 'station'
  readonly upstream: string | null
  readonly clockAhead: number
  readonly clockRate: number
  /** Of a station: how it waits for the confirmation of a scan. */
  readonly confirm: number
  /** Of a station: how many of each quota it may sell without a lease. */
  readonly sellAtRisk: number
}

/** Everything that a run does: the same plan makes the same run. */
export interface Plan {
  readonly seed: string
  readonly machines: readonly PlannedMachine[]
  readonly steps: readonly Step[]
  /** When the faults end; milliseconds since the beginning. */
  readonly faultsEnd: number
  /** How long everything may then take to be the same everywhere; how long it usually takes is tried first. */
  readonly healing: number
}

/** Names of the tickets that are there from the beginning. */
export const firstTickets: readonly string[] = Array.from({ length: 160 }, (_, index) => `T${index + 1}`)

/** How many of the scarce product there are. */
export const scarceSize = 14
