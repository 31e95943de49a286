/** A file of a program: where it lies in it, how many bytes it has, and their SHA-256. */
export type ContentsEntry = readonly [path: string, size: number, sha256: string]

/** Every file of a release, in the order in which its archive has them one behind the other. */
export interface Contents {
  readonly version: string
  readonly files: readonly ContentsEntry[]
}

// Nothing that leads out of the folder, and no name that a system reads as another one.
const path = /^(?:[\w@+., -]*[\w@+-]\/)*[\w@+., -]*[\w@+-]$/

const isEntry = (value: unknown): value is ContentsEntry =>
  Array.isArray(value) &&
  value.length === 3 &&
  typeof value[0] === 'string' &&
  path.test(value[0]) &&
  Number.isSafeInteger(value[1]) &&
  value[1] >= 0 &&
  typeof value[2] === 'string' &&
  /^[0-9a-f]{64}$/.test(value[2])

/** Reads such a list; null where it is none, or names a place outside of the program. */
export function readContents(text: string): Contents | null {
  try {
    const value: Partial<Record<keyof Contents, unknown>> = JSON.parse(text)
    const { version, files } = value
    if (typeof version !== 'string' || !Array.isArray(files) || !files.every(isEntry)) return null
    return new Set(files.map(([name]) => name.toLowerCase())).size === files.length
      ? { version, files }
      : null
  } catch {
    return null
  }
}
