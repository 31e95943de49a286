/** Fails to compile where a case of a union has been forgotten. */
export function assertNever(value: never): never {
  throw new Error(`unexpected: ${JSON.stringify(value)}`)
}
