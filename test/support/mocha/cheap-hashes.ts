import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** What the server hashes passwords with (server/services/accounts/passwords.ts). */
const rounds = 2 ** 15

const real = crypto.scrypt

type Callback = (error: Error | null, key: Buffer) => void

function cheap(
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: crypto.ScryptOptions,
  callback: Callback,
): void {
  real(password, salt, length, options.N === rounds ? { ...options, N: 2, p: 1 } : options, callback)
}

function install(scrypt: typeof real | typeof cheap): void {
  Object.assign(crypto, { scrypt })
  syncBuiltinESMExports()
}

// Loaded by mocha before the tests: hundreds of them sign somebody in and prove nothing about the work that a hash takes,
// a quarter of a second each. Programs that tests start hash as they always do.
install(cheap)

/** Has passwords hashed in one suite as they are outside of tests. */
export function useRealHashes(): void {
  before(() => install(real))
  after(() => install(cheap))
}
