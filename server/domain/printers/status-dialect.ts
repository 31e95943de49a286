/** Why a printer prints nothing at the moment, as it says itself. */
export type StatusTrouble = 'paper' | 'open' | 'offline'

/** How a kind of printer is asked how it is, and what it answers. */
export interface StatusDialect {
  readonly request: Uint8Array
  /** Whether an answer is there. */
  isWhole(heard: readonly number[]): boolean
  /** What a whole answer says; null where nothing is wrong. */
  trouble(heard: readonly number[]): StatusTrouble | null
  /** Whether it says that there is something left to print. */
  isBusy(heard: readonly number[]): boolean
  /** Asks for a byte that comes once everything before was printed; null where it is asked how it is until it is done. */
  readonly printedRequest: Uint8Array | null
}
