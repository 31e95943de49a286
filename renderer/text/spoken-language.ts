import { effect, type ReadonlySignal, signal } from '@preact/signals'
import { type Language, languageOf, writingDirection } from '../../schema/texts/translate.ts'
import { loadTexts } from './translate.ts'

interface SpeakTools {
  /** Waits some milliseconds before it does something. */
  readonly after: (milliseconds: number, then: () => void) => unknown
  readonly load?: (language: Language) => Promise<void>
}

const retryAfter = 3000

/**
 * The language that is wanted, as soon as its texts are here, and until then the one before: nothing is said in English in
 * between. Null until the first texts are here. English where those cannot be fetched, which is tried again.
 */
export function speak(
  wanted: () => Language | null,
  { after, load = loadTexts }: SpeakTools,
): ReadonlySignal<Language | null> {
  const spoken = signal<Language | null>(null)
  const turnTo = async (language: Language): Promise<void> => {
    try {
      await load(language)
      if (wanted() === language) spoken.value = language
    } catch {
      spoken.value ??= 'en'
      after(retryAfter, () => void (wanted() === language && turnTo(language)))
    }
  }
  effect(() => {
    const language = wanted()
    if (language !== null) void turnTo(language)
  })
  return spoken
}

const languageKey = 'gatehouse.language'

interface StationLanguage {
  /** Whether the station has said what it is set to, or does not answer. */
  readonly isKnown: () => boolean
  /** What somebody has chosen. */
  readonly chosen: () => string | null
  /** What the browser is set to, the best first. */
  readonly browser: readonly string[]
  readonly after: SpeakTools['after']
}

/** The language of a station's screens: what was chosen, else what was spoken here last, else the browser's. */
export function speakAtStation(
  memory: Pick<Storage, 'getItem' | 'setItem'>,
  { isKnown, chosen, browser, after }: StationLanguage,
): ReadonlySignal<Language | null> {
  const wanted = () => (isKnown() ? languageOf(chosen(), memory.getItem(languageKey), ...browser) : null)
  const spoken = speak(wanted, { after })
  effect(() => {
    if (spoken.value) memory.setItem(languageKey, spoken.value)
  })
  return spoken
}

/** Tells the browser in which language and to which side the page is written. */
export function markLanguage(root: { lang: string; dir: string }, language: Language): void {
  root.lang = language
  root.dir = writingDirection(language)
}
