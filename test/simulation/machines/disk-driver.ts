import Sqlite from 'better-sqlite3'
import { type Disk, digested, type OpenImage, PowerIsOff } from './disk.ts'
import { diskInUse } from './turns.ts'

/** A failure as the library reports it. */
const failure = (code: string): Error => Object.assign(new Error(`simulated ${code}`), { code })

type Values = readonly unknown[]

let template: Buffer | null = null

/** Has databases that are empty begin as a copy of this one, so that not each of them has to be made up to date. */
export function beginWith(image: Buffer | null): void {
  template = image
}

interface Statement {
  readonly readonly: boolean
  run(...values: Values): { changes: number }
  get(...values: Values): unknown
  all(...values: Values): unknown[]
}

/** What the server's driver gets for better-sqlite3: SQLite in memory, on the disk of the machine whose turn it is. */
export class SimulatedSqlite implements OpenImage {
  readonly #real: Sqlite.Database
  readonly #disk: Disk
  readonly #total: Sqlite.Statement<[], number>
  readonly #beginning: Sqlite.Statement
  readonly #ending: Sqlite.Statement
  #isOff = false
  #since = 0

  constructor(_file: string) {
    this.#disk = diskInUse()
    const isFirst = this.#disk.open.length === 0
    this.#real = new Sqlite((isFirst ? this.#disk.image : null) ?? template ?? ':memory:')
    this.#total = this.#real.prepare<[], number>('SELECT total_changes()').pluck()
    this.#beginning = this.#real.prepare('BEGIN IMMEDIATE')
    this.#ending = this.#real.prepare('COMMIT')
    this.#disk.open.push(this)
  }

  get inTransaction(): boolean {
    return !this.#isOff && this.#real.inTransaction
  }

  pragma(text: string, options?: Sqlite.PragmaOptions): unknown {
    this.#refuseOff()
    return this.#real.pragma(text, options)
  }

  exec(text: string): this {
    this.#refuseOff()
    this.#note(text, [])
    this.#real.exec(text)
    return this
  }

  close(): this {
    if (this.#isOff) return this
    // A copy that is thrown away leaves nothing; where the first one is closed, the copy beside it takes its place.
    if (this.#disk.open[0] === this) this.#disk.image = (this.#disk.open[1] ?? this).committed()
    this.seize()
    return this
  }

  committed(): Buffer {
    if (this.#real.inTransaction) this.#real.exec('ROLLBACK')
    return this.#real.serialize()
  }

  seize(): void {
    this.#isOff = true
    const at = this.#disk.open.indexOf(this)
    if (at >= 0) this.#disk.open.splice(at, 1)
    this.#real.close()
  }

  prepare(text: string): unknown {
    this.#refuseOff()
    if (text === 'BEGIN IMMEDIATE') return { run: () => this.#begin() }
    if (text === 'COMMIT') return { run: () => this.#commit() }
    const real = this.#real.prepare(text)
    if (real.readonly) return this.#reading(real)
    return this.#writing(text, real as unknown as Statement)
  }

  #refuseOff(): void {
    if (this.#isOff) throw new PowerIsOff()
  }

  #note(text: string, values: Values): void {
    this.#disk.digest = digested(this.#disk.digest, text, values)
  }

  #begin(): void {
    this.#refuseOff()
    if (this.#disk.isBusy) throw failure('SQLITE_BUSY')
    this.#beginning.run()
    this.#since = this.#changes()
  }

  #commit(): void {
    this.#refuseOff()
    const isChange = this.#changes() !== this.#since
    if (isChange) this.#disk.atCommit('before')
    this.#refuseOff()
    if (isChange && this.#disk.isFull) this.#overflow()
    this.#ending.run()
    if (!isChange) return
    this.#disk.commits += 1
    this.#disk.atCommit('after')
    this.#refuseOff()
  }

  #changes(): number {
    return this.#total.get() ?? 0
  }

  /** Statements that only read: the machine can be switched off between two of them all the same. */
  #reading(real: Sqlite.Statement): unknown {
    const on = (): Sqlite.Statement => {
      this.#refuseOff()
      return real
    }
    return {
      readonly: true,
      get: (...values: Values) => on().get(...values),
      all: (...values: Values) => on().all(...values),
      run: (...values: Values) => on().run(...values),
      iterate: (...values: Values) => on().iterate(...values),
      pluck: () => {
        real.pluck()
        return this.#reading(real)
      },
    }
  }

  #overflow(): never {
    this.#disk.hasOverflown = true
    // At a write, the program may go on in the transaction; at the commit, SQLite takes all of it back.
    if (this.#disk.endsWhenFull && this.#real.inTransaction) this.#real.exec('ROLLBACK')
    throw failure('SQLITE_FULL')
  }

  #writing(text: string, real: Statement): Statement {
    const write = <T>(values: Values, work: () => T): T => {
      this.#refuseOff()
      if (this.#disk.isFull && !this.#disk.endsWhenFull && /^\s*(INSERT|UPDATE|CREATE)/i.test(text))
        this.#overflow()
      this.#note(text, values)
      return work()
    }
    return {
      readonly: false,
      run: (...values) => write(values, () => real.run(...values)),
      get: (...values) => write(values, () => real.get(...values)),
      all: (...values) => write(values, () => real.all(...values)),
    }
  }
}
