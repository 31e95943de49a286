import type { GuestPrint, GuestScan, ShownTicket } from '../../../schema/bodies/guests.ts'
import { useApp } from '../../parts/context.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import type { Voice } from '../../scanning/wording.ts'
import { beside } from '../../text/direction.ts'
import { formatMoment } from '../../text/format.ts'
import type { Translate } from '../../text/translate.ts'
import style from './ticket-history.module.css'

/** One thing that happened to a ticket, in words. */
interface Happened {
  readonly key: string
  readonly at: string
  readonly kind: 'entry' | 'exit' | 'refused' | 'undone' | 'printed'
  readonly what: string
  readonly where: string
  readonly why: string
}

const icons: Readonly<Record<Happened['kind'], IconName>> = {
  entry: 'entry',
  exit: 'exit',
  refused: 'close',
  undone: 'undo',
  printed: 'printer',
}

/** What happened to a ticket, newest first: scans on every list, whatever became of them, and what was printed. */
export function TicketHistory({ ticket }: { readonly ticket: ShownTicket }) {
  const { voice } = useApp()
  const { t, timeZone, language } = voice
  const all = [
    ...ticket.scans.map((scan) => scanned(scan, voice)),
    ...ticket.prints.map((print) => printed(print, t)),
  ].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
  if (all.length === 0) return <p class={style.none}>{t('guest.no-history')}</p>
  return (
    <ol class={style.history} aria-label={t('guest.history')}>
      {all.map(({ key, at, kind, what, where, why }) => (
        <li key={key} data-happened={kind}>
          <Icon name={icons[kind]} />
          <span class={style.what}>
            <strong>{what}</strong>
            <span>{where}</span>
            {why && <span>{why}</span>}
          </span>
          <time dateTime={at}>{formatMoment(at, new Date().toISOString(), timeZone, language)}</time>
        </li>
      ))}
    </ol>
  )
}

function scanned(scan: GuestScan, { t, language }: Voice): Happened {
  const joined = (...parts: readonly (string | null | false)[]): string =>
    beside(
      parts.map((part) => part || null),
      ' · ',
      language,
    )
  const passed = t(`direction.${scan.type}`)
  const { reason } = scan
  const refusal = reason === 'incomplete' ? t('result.question') : t(`refused.${reason ?? 'error'}`)
  const what = {
    admitted: joined(passed, scan.forced && t('guest.forced'), scan.auto_checked_in && t('used.automatic')),
    undone: joined(passed, t('result.undone')),
    refused: t('guest.refused', { reason: refusal }),
  }[scan.outcome]
  return {
    key: `scan ${scan.id}`,
    at: scan.datetime,
    kind: scan.outcome === 'admitted' ? scan.type : scan.outcome,
    what,
    where: joined(scan.outcome === 'refused' && passed, scan.list_name, scan.gate, scan.device),
    why: scan.reason_explanation ?? '',
  }
}

const printed = ({ id, datetime, document, device, successful }: GuestPrint, t: Translate): Happened => ({
  key: `print ${id}`,
  at: datetime,
  kind: 'printed',
  what: t(successful ? 'guest.printed' : 'guest.not-printed', { document }),
  where: device ?? '',
  why: '',
})
