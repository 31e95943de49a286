/**
 * Tables that scanning and selling write all the time. Writing to any other table makes everything that is remembered
 * be read again, so nothing that is read from one of these may be remembered.
 */
export const busyTables: ReadonlySet<string> = new Set([
  'audit',
  'audit_seal',
  'cart_position',
  'change',
  'checkin',
  'conflict',
  'export_run',
  'feed',
  'found_conflict',
  'gift_card',
  'gift_card_transaction',
  'imported_guest',
  'kept_answer',
  'mail',
  'node',
  'order_fee',
  'order_payment',
  'order_position',
  'order_refund',
  'orders',
  'outbox',
  'position_search',
  'print_log',
  'quarantine',
  'quota_lease',
  'refused_ticket',
  'revoked_secret',
  'seen_fact',
  'sign_in_attempt',
  // What is remembered of it changes only with the copy of the data, or with the row of the device.
  'upstream',
  'user_session',
  'uploaded_file',
  'voucher',
  'waiting_list_entry',
  'webhook_attempt',
  'webhook_delivery',
])

const written = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+"?(\w+)"?/i

/** Whether a statement that writes can make something untrue that is remembered. */
export const unsettles = (text: string): boolean => !busyTables.has(written.exec(text)?.[1] ?? '')

/** More than any venue has tokens, lists and events; forgetting all of them once in a while bounds the memory. */
const mostEntries = 10_000

/**
 * What was read from tables that seldom change, until one of them does. Changes of our own are announced by `unsettle`
 * and `settle`; those of other programs show in the version of the database, which is looked at before every answer.
 */
export class Memory {
  readonly #versionOf: () => number
  readonly #kept = new Map<string, unknown>()
  #version = Number.NaN
  /** Counts how often everything was forgotten, so that what was read before is not kept after. */
  #age = 0
  #isUnsettled = false
  #isCertain = false
  readonly #doubting = (): void => this.doubt()

  /** `versionOf` gives a number that changes with every commit of another connection. */
  constructor(versionOf: () => number) {
    this.#versionOf = versionOf
  }

  async recall<T>(key: string, load: () => Promise<T>): Promise<T> {
    if (!this.#isCertain) this.#look()
    if (this.#kept.has(key)) return this.#kept.get(key) as T
    const age = this.#age
    const value = await load()
    if (age === this.#age && !this.#isUnsettled) {
      if (this.#kept.size >= mostEntries) this.#kept.clear()
      this.#kept.set(key, value)
    }
    return value
  }

  /** Looks at the version again before the next answer: somebody else may have had a turn. */
  doubt(): void {
    this.#isCertain = false
  }

  /** A transaction of ours has changed something, which may still be taken back: nothing is kept until it has ended. */
  unsettle(): void {
    this.#isUnsettled = true
    this.#forget()
  }

  /** No transaction of ours is under way any more. */
  settle(): void {
    if (!this.#isUnsettled) return
    this.#isUnsettled = false
    this.#forget()
  }

  #look(): void {
    const version = this.#versionOf()
    if (version !== this.#version) {
      this.#forget()
      this.#version = version
    }
    // Ticks run once the promises at hand are settled, and before anything more is read from the network: until then,
    // every question was asked before this look.
    this.#isCertain = true
    process.nextTick(this.#doubting)
  }

  #forget(): void {
    this.#age += 1
    this.#kept.clear()
  }
}
