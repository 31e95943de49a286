import type { LinkStatus, Readiness, ShownFact } from '../../schema/station-link.ts'
import type { Voice } from '../scanning/wording.ts'
import { beside } from '../text/direction.ts'
import { clock, formatMoment } from '../text/format.ts'
import { isTextKey, type Translate } from '../text/translate.ts'
import { type ConnectionState, isFirstLoad } from '../upstream/connection-state.ts'

/** What the mark in the header shows. */
export type Mark = 'online' | 'hub' | 'offline' | 'local' | 'loading' | 'revoked'

/** What the mark in the header shows, or null while nothing is known. */
export function markOf(state: ConnectionState): Mark | null {
  const { link } = state
  if (!link) return null
  if (link.revoked) return 'revoked'
  if (link.upstream === null) return 'local'
  if (isFirstLoad(state)) return 'loading'
  return link.state === 'online' ? 'online' : link.state === 'hub only' ? 'hub' : 'offline'
}

/** Seconds since the data was complete, as of now: what was reported, and what has passed since. */
export function dataAge({ link, reportedAt, now }: ConnectionState): number | null {
  if (!link || link.data_age === null) return null
  return link.data_age + Math.max(0, Math.round((now - reportedAt) / 1000))
}

const fresh = 10

/** How old something is, in the largest unit that says enough. */
export function ageText(seconds: number, t: Translate): string {
  if (seconds < fresh) return t('age.now')
  if (seconds < 90) return t('age.seconds', { count: seconds })
  if (seconds < 5400) return t('age.minutes', { count: Math.round(seconds / 60) })
  if (seconds < 129_600) return t('age.hours', { count: Math.round(seconds / 3600) })
  return t('age.days', { count: Math.round(seconds / 86_400) })
}

/** How long something takes or is off: the same without a word for nothing. */
export const durationText = (seconds: number, t: Translate): string =>
  seconds < fresh ? t('age.seconds', { count: seconds }) : ageText(seconds, t)

/** All that the mark says, for those who do not see it. */
export function markText(state: ConnectionState, { t }: Voice): string {
  const mark = markOf(state)
  const { link } = state
  if (!mark || !link) return ''
  const age = dataAge(state)
  const parts = [
    t(`link.${mark}`),
    age !== null && mark !== 'local' ? t('link.data', { age: ageText(age, t) }) : '',
    link.queue > 0 ? t('link-count.waiting', { count: link.queue }) : '',
    link.parked > 0 ? t('link-count.parked', { count: link.parked }) : '',
    link.conflicts > 0 ? t('link-count.conflicts', { count: link.conflicts }) : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** Why the upstream server does not answer, in a sentence; empty while it does. */
export function troubleText({ trouble, problem }: LinkStatus, { t }: Voice): string {
  if (trouble) return t(`trouble.${trouble}`)
  return problem ?? ''
}

const aGigabyte = 2 ** 30

/** One line of the readiness list. */
export function readinessText({ name, ok, value }: Readiness, state: ConnectionState, { t }: Voice): string {
  const { link } = state
  const age = dataAge(state)
  switch (name) {
    case 'data':
      if (link?.loading) return t('check-data.loading')
      if (link?.upstream && age === null) return t('check-data.none')
      return age === null
        ? t('check-data.local', { count: value ?? 0 })
        : t('check-data.held', { count: value ?? 0, age: ageText(age, t) })
    case 'clock':
      if (!ok && value !== null)
        return t('check-clock.off', { time: durationText(Math.round(Math.abs(value) / 1000), t) })
      return t(ok ? 'check-clock.right' : 'check-clock.unknown')
    case 'disk':
      return value === null
        ? t('check-disk.unknown')
        : t(ok ? 'check-disk.free' : 'check-disk.full', {
            size: value / aGigabyte,
          })
    case 'keys':
      return value ? t('check-keys.some', { count: value }) : t('check-keys.none')
    case 'upstream':
      return t(
        `check-upstream.${ok ? (link?.upstream ? 'ok' : 'local') : markOf(state) === 'hub' ? 'hub' : 'bad'}`,
      )
    case 'queue':
      if (link && link.parked > 0) return t('check-queue.parked', { count: link.parked })
      return value ? t('check-queue.waiting', { count: value }) : t('check-queue.empty')
  }
}

/** What something that is to be sent is about. */
export function factText({ what, subject }: ShownFact, { t }: Voice): string {
  return subject === '' ? t(`fact.${what}`) : t(`fact-of.${what}`, { subject })
}

/** Why something was refused or has to be sent again; the server's own words where we have none. */
export function reasonText({ reason, detail }: ShownFact, { t }: Voice): string {
  const key = `fact-why.${reason}` as const
  return isTextKey(key) ? t(key) : (detail ?? reason ?? '')
}

/** Where and when one side of a contradiction was: gate, station and time. */
export function sideText(
  side: { readonly gate: string | null; readonly device: string | null; readonly at: string | null },
  now: string,
  { t, language, timeZone }: Voice,
): { readonly where: string; readonly when: string } {
  const where = beside([side.gate, side.device], ' · ', language)
  return {
    where: where || t('side.unknown'),
    when: side.at === null ? '' : formatMoment(side.at, now, timeZone, language),
  }
}

/** Since when the link is as it is. */
export const sinceText = (link: LinkStatus, now: string, { t, language, timeZone }: Voice): string =>
  t('link.since', { when: formatMoment(link.since, now, timeZone, language) })

/** The time of day of something in the queue. */
export const timeText = (at: string, { language, timeZone }: Voice): string => clock(at, timeZone, language)
