import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { ShownSample } from '../../schema/bodies/guests.ts'
import { askSamples } from '../api/guests-api.ts'
import { useApp } from '../parts/context.ts'
import type { Translate } from '../text/translate.ts'
import style from './sample-tickets.module.css'

/** Whether somebody has opened or folded it here; null while nobody has. */
const foldedKey = 'gatehouse.samples-folded'

/** Narrower, lower and upright screens have it folded until somebody opens it. */
const roomy = '(min-width: 37.5em) and (min-height: 35em) and (min-aspect-ratio: 1)'

/** Tickets of the demo to try a station with that has no scanner: to be clicked, or to be shown to a camera. */
export function SampleTickets() {
  const { t } = useApp().voice
  const samples = useSamples()
  const isRoomy = useMedia(roomy)
  const [folded, setFolded] = useState(localStorage.getItem(foldedKey))
  const isOpen = folded === null ? isRoomy : folded === 'no'
  if (samples.length === 0) return null
  return (
    <details
      class={style.samples}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open === isOpen) return
        const next = currentTarget.open ? 'no' : 'yes'
        localStorage.setItem(foldedKey, next)
        setFolded(next)
      }}
    >
      <summary>{t('samples.title')}</summary>
      <p>{t('samples.how')}</p>
      <ul>
        {samples.map((sample) => (
          <li key={sample.code}>
            <Sample sample={sample} />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Whether a condition on the screen holds, also once it is turned or its letters become larger. */
function useMedia(condition: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(condition).matches)
  useEffect(() => {
    const media = matchMedia(condition)
    const changed = () => setMatches(media.matches)
    media.addEventListener('change', changed)
    changed()
    return () => media.removeEventListener('change', changed)
  }, [condition])
  return matches
}

function Sample({ sample }: { readonly sample: ShownSample }) {
  const { voice, actions } = useApp()
  const { t } = voice
  return (
    <button
      type="button"
      class={style.sample}
      data-outlook={sample.outlook.reason ?? sample.outlook.status}
      // As somebody admits by hand: two clicks are never one code that was read twice.
      onClick={() => actions.read(sample.code, 'hand')}
    >
      <Qr rows={sample.qr} />
      <strong>{stateOf(sample, t)}</strong>
      {sample.name && <span>{sample.name}</span>}
      <span>{sample.product}</span>
    </button>
  )
}

function stateOf({ outlook: { status, reason } }: ShownSample, t: Translate): string {
  if (reason) return t(`refused.${reason}`)
  return t(status === 'ok' ? 'guest.good' : 'result.question')
}

/** Light modules on every side of a QR code. */
const quiet = 4

/** Pixels of a module: whole ones, so that all are of one size, and enough of them for a camera. */
const moduleSize = 3

function Qr({ rows }: { readonly rows: ShownSample['qr'] }) {
  const size = rows.length + 2 * quiet
  const path = rows.flatMap((row, y) =>
    [...row].flatMap((module, x) => (module === '1' ? [`M${x + quiet} ${y + quiet}h1v1h-1z`] : [])),
  )
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={size * moduleSize}
      height={size * moduleSize}
      aria-hidden="true"
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  )
}

/** What was answered last, and for which event: it is there at once between two scans, and what has none is not asked again. */
const answered = signal<{ readonly event: string; readonly samples: readonly ShownSample[] }>({
  event: '',
  samples: [],
})

/** The samples, looked at again after each scan. */
function useSamples(): readonly ShownSample[] {
  const { station } = useApp().desk.state.value
  const { settings, counts } = station ?? {}
  const event = settings ? `${settings.organizer}/${settings.event}` : ''
  const known = answered.value.event === event ? answered.value.samples : null
  useEffect(() => {
    if (known?.length === 0) return
    let left = false
    void askSamples().then((answer) => {
      if (!left && answer.ok) answered.value = { event, samples: answer.value.results }
    })
    return () => {
      left = true
    }
  }, [event, settings, counts])
  return known ?? []
}
