/** How the parts of a person's name are kept and shown. */
interface NameScheme {
  /** Every part the scheme asks for, in the order of a form. */
  readonly parts: readonly string[]
  /** The parts that make up the full name, in order; empty ones are left out. */
  readonly shown: readonly string[]
  /** What stands between two shown parts. */
  readonly between: string
  /** A part that follows the name after a comma. */
  readonly suffix?: string
}

/** A part of a name as a form asks for it; the more weight it has, the more room it gets. */
interface AskedPart {
  readonly key: string
  readonly label: string
  readonly weight: number
}

const labels: Readonly<Record<string, string>> = {
  salutation: 'Salutation',
  title: 'Title',
  given_name: 'Given name',
  middle_name: 'Middle name',
  family_name: 'Family name',
  full_name: 'Name',
  calling_name: 'Calling name',
  latin_transcription: 'Latin transcription',
  degree: 'Degree (after name)',
}

const shortParts: readonly string[] = ['salutation', 'title', 'middle_name', 'calling_name']

/** The salutations that forms offer. */
export const salutations = ['Ms', 'Mr', 'Mx'] as const

/** What a form asks for by a scheme. */
export function askedParts(scheme: string): AskedPart[] {
  const { parts } = schemeNamed(scheme) ?? spaced(['full_name'])
  const isMixed = parts.some((key) => shortParts.includes(key))
  return parts.map((key) => ({
    key,
    label: labels[key] ?? key,
    weight: isMixed && !shortParts.includes(key) ? 2 : 1,
  }))
}

/** Every way an event can ask for names, by the identifier used in its `name_scheme` setting and in `_scheme`. */
export const nameSchemes: Readonly<Record<string, NameScheme>> = {
  given_family: spaced(['given_name', 'family_name']),
  title_given_family: spaced(['title', 'given_name', 'family_name']),
  given_middle_family: spaced(['given_name', 'middle_name', 'family_name']),
  title_given_middle_family: spaced(['title', 'given_name', 'middle_name', 'family_name']),
  family_given: spaced(['family_name', 'given_name']),
  family_nospace_given: { ...spaced(['family_name', 'given_name']), between: '' },
  family_comma_given: { ...spaced(['family_name', 'given_name']), between: ', ' },
  full: spaced(['full_name']),
  calling_full: { ...spaced(['full_name']), parts: ['calling_name', 'full_name'] },
  full_transcription: { ...spaced(['full_name']), parts: ['full_name', 'latin_transcription'] },
  salutation_given_family: addressed(['given_name', 'family_name']),
  salutation_title_given_family: addressed(['title', 'given_name', 'family_name']),
  salutation_title_given_family_degree: {
    ...spaced(['title', 'given_name', 'family_name']),
    parts: ['salutation', 'title', 'given_name', 'family_name', 'degree'],
    suffix: 'degree',
  },
}

const knownParts: ReadonlySet<string> = new Set(Object.values(nameSchemes).flatMap(({ parts }) => parts))

/**
 * The name to show, search and sort by, made from its parts by their own scheme or else the event's, or one that
 * fits where that makes no name of them; `null` where the parts say nothing.
 */
export function fullName(parts: Readonly<Record<string, string>> | null, eventScheme: string): string | null {
  if (parts === null) return null
  if (parts._legacy !== undefined) return parts._legacy.trim() || null
  const scheme =
    schemeNamed(parts._scheme) ?? schemeNamed(schemeFor(parts, eventScheme)) ?? spaced(['full_name'])
  return nameBy(scheme, parts)
}

function nameBy(scheme: NameScheme, parts: Readonly<Record<string, string>>): string | null {
  const part = (key: string) => (parts[key] ?? '').trim()
  const name = scheme.shown.map(part).filter(Boolean).join(scheme.between)
  const suffix = scheme.suffix === undefined ? '' : part(scheme.suffix)
  return [name, suffix].filter(Boolean).join(', ') || null
}

/** Name parts for somebody of whom only the whole name is known. */
export function partsFromName(name: string): Record<string, string> {
  return { _legacy: name }
}

/** Whether parts say nothing, or at least one thing that belongs to a scheme. */
export function hasKnownPart(parts: Readonly<Record<string, string>>): boolean {
  const filled = filledParts(parts)
  return parts._legacy !== undefined || filled.length === 0 || filled.some((key) => knownParts.has(key))
}

/**
 * The same parts, marked with the scheme they were entered in, so that they stay readable when the event's changes: the
 * event's, or where that makes no name of them, the one they fit best.
 */
export function withScheme(
  parts: Readonly<Record<string, string>>,
  eventScheme: string,
): Record<string, string> {
  const settled = '_scheme' in parts || '_legacy' in parts || Object.keys(parts).length === 0
  return settled ? { ...parts } : { ...parts, _scheme: schemeFor(parts, eventScheme) }
}

/** The event's scheme, unless only another makes a name of the parts: then the smallest that has the most of them. */
function schemeFor(parts: Readonly<Record<string, string>>, eventScheme: string): string {
  const own = schemeNamed(eventScheme) ?? spaced(['full_name'])
  if (nameBy(own, parts) !== null) return eventScheme
  const filled = filledParts(parts)
  if (filled.length === 0) return eventScheme
  const missed = (scheme: NameScheme) => filled.filter((key) => !scheme.parts.includes(key)).length
  const [best] = Object.entries(nameSchemes)
    .filter(([, scheme]) => nameBy(scheme, parts) !== null)
    .toSorted(([, a], [, b]) => missed(a) - missed(b) || a.parts.length - b.parts.length)
  return best?.[0] ?? eventScheme
}

const filledParts = (parts: Readonly<Record<string, string>>): string[] =>
  Object.keys(parts).filter((key) => !key.startsWith('_') && (parts[key] ?? '').trim() !== '')

function schemeNamed(name: string | undefined): NameScheme | undefined {
  return name !== undefined && Object.hasOwn(nameSchemes, name) ? nameSchemes[name] : undefined
}

function spaced(parts: readonly string[]): NameScheme {
  return { parts, shown: parts, between: ' ' }
}

/** A salutation is asked for letters, and is not part of the name. */
function addressed(shown: readonly string[]): NameScheme {
  return { ...spaced(shown), parts: ['salutation', ...shown] }
}
