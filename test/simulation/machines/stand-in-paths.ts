import { pathToRegexp as compile } from 'path-to-regexp'

// Every start of a program makes the same some hundred routes: what their paths mean is found out once.

export * from 'path-to-regexp'

const known = new Map<string, ReturnType<typeof compile>>()

/** What a path means; the same object for the same path. */
export function pathToRegexp(...asked: Parameters<typeof compile>): ReturnType<typeof compile> {
  const key = JSON.stringify(asked)
  const found = known.get(key) ?? compile(...asked)
  known.set(key, found)
  return found
}
