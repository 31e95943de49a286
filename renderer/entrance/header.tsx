import type { Direction } from '../../schema/bodies/station.ts'
import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import { directionOf } from '../scanning/desk-state.ts'
import { works } from '../scanning/screen.ts'
import { LinkMark } from '../station/link-mark.tsx'
import { beside } from '../text/direction.ts'
import { count } from '../text/format.ts'
import style from './header.module.css'

/** Where this station stands, which way guests go, and how many came. */
export function Header() {
  const { desk, voice } = useApp()
  const settings = desk.state.value.station?.settings
  if (!settings) return null
  const events = [...new Set(settings.lists.map(({ event_name }) => event_name))]
  const lists = settings.lists.map(({ name }) => name)
  const place = beside([beside(lists, ' + ', voice.language), settings.gate_name], ' · ', voice.language)
  return (
    <header class={style.top}>
      <div class={style.place}>
        <strong>{events.join(' + ')}</strong>
        <span>{place}</span>
        <Scanners />
      </div>
      <Directions />
      <LinkMark />
      <Counts label={voice.t('counts.label')} />
    </header>
  )
}

function Directions() {
  const { desk, voice, actions } = useApp()
  const current = directionOf(desk.state.value)
  const button = (direction: Direction) => (
    <button
      type="button"
      class={direction === 'exit' ? style.exit : undefined}
      disabled={!works(desk.state.value)}
      aria-pressed={current === direction}
      onClick={() => current !== direction && actions.turn(direction)}
    >
      <Icon name={direction} />
      {voice.t(`direction.${direction}`)}
    </button>
  )
  return (
    <fieldset class={style.directions} aria-label={voice.t('direction.label')}>
      {button('entry')}
      {button('exit')}
    </fieldset>
  )
}

function Counts({ label }: { readonly label: string }) {
  const { desk, voice } = useApp()
  const counts = desk.state.value.station?.counts
  if (!counts) return <div class={style.counts} />
  const number = (value: number) => count(value, voice.language)
  return (
    <dl class={style.counts} aria-label={label}>
      <div>
        <dd>
          <b data-count="in">{number(counts.checkin_count)}</b>
          <i> / {number(counts.position_count)}</i>
        </dd>
        <dt>{voice.t('counts.in')}</dt>
      </div>
      <div>
        <dd>
          <b data-count="inside">{number(counts.inside_count)}</b>
        </dd>
        <dt>{voice.t('counts.inside')}</dt>
      </div>
    </dl>
  )
}

function Scanners() {
  const { desk, voice } = useApp()
  const scanners = desk.state.value.station?.scanners ?? []
  const connected = scanners.filter((scanner) => scanner.connected)
  const lost = scanners.find((scanner) => !scanner.connected)
  const mark = connected.length > 0 ? 'connected' : lost ? 'lost' : 'none'
  const name = connected[0]?.name ?? lost?.name ?? ''
  const text = voice.t(`scanner.${mark}`, { name })
  return (
    <span class={style.scanner} data-scanner={mark} title={text}>
      <Icon name={mark === 'connected' ? 'check' : mark === 'lost' ? 'close' : 'keyboard'} />
      {text}
    </span>
  )
}
