// What a signed list of updates says. Names are the wire's own.

/** A file of a release, as everybody can check it. */
export interface ReleaseFile {
  readonly name: string
  readonly size: number
  /** In hexadecimal digits. */
  readonly sha256: string
}

/** A release for one kind of machine: the list of its files, and all of them one behind the other, compressed. */
export interface ReleaseBuild {
  readonly contents: ReleaseFile
  readonly archive: ReleaseFile
  /** Bytes on the disk once it is unpacked. */
  readonly unpacked: number
  /** The newest migration that it brings databases through. */
  readonly migration: string
}

/** How stations hear of releases: of all at once, as their share grows, or of none. */
export const updateChannels = ['stable', 'early', 'hold'] as const

/** One of them. */
export type UpdateChannel = (typeof updateChannels)[number]

/** How many of a hundred stations are offered a release. */
export const releaseShares = [1, 10, 100] as const

/** A version of the program that stations may change to. */
export interface Release {
  readonly version: string
  /** How many of a hundred stations of the channel `stable` are offered it. */
  readonly share: (typeof releaseShares)[number]
  /** The oldest installed package that can start it, and the oldest Node that can run it. */
  readonly minimum: string
  readonly node: number
  /** By platform and processor in Node's words, such as `linux-x64`. */
  readonly builds: Readonly<Record<string, ReleaseBuild>>
}

/** All that may be installed at a time. */
export interface ReleaseList {
  readonly format: 1
  /** Grows with every list, so that an older one is recognised. */
  readonly sequence: number
  /** Instants in UTC. */
  readonly issued: string
  readonly expires: string
  readonly releases: readonly Release[]
}

/** The kind of a machine, as builds are named. */
export const machineOf = (platform: string, arch: string): string => `${platform}-${arch}`

const parts = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/

/** Whether a text is the number of a release, such as 1.2.3. */
export const isVersion = (text: string): boolean => parts.test(text)

/** Below zero where the first version is older, above where it is newer; what is no version is older than any. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => (parts.exec(text) ?? ['', '-1', '0', '0']).slice(1).map(Number))
  for (const index of [0, 1, 2]) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
