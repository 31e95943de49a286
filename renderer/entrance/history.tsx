import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import { Shape } from '../parts/shape.tsx'
import { VisuallyHidden } from '../parts/visually-hidden.tsx'
import { type Entry, lookOf, undoable } from '../scanning/entries.ts'
import { works } from '../scanning/screen.ts'
import { shortcuts } from '../scanning/shortcuts.ts'
import { certaintyOf, headline, who } from '../scanning/wording.ts'
import { clock } from '../text/format.ts'
import style from './history.module.css'

/** The last scans, newest first. Each can be opened again; the latest admission can be taken back. */
export function History() {
  const { desk, voice } = useApp()
  const { entries } = desk.state.value
  return (
    <aside class={style.history} aria-label={voice.t('history.label')}>
      <header>
        <h2>{voice.t('history.title')}</h2>
        <UndoLast />
      </header>
      {entries.length === 0 && <p class={style.none}>{voice.t('history.none')}</p>}
      <ol>
        {entries.map((entry) => (
          <Line key={entry.key} entry={entry} />
        ))}
      </ol>
    </aside>
  )
}

function UndoLast() {
  const { desk, voice, actions } = useApp()
  const entry = undoable(desk.state.value.entries)
  const label = entry ? voice.t('undo.last.of', { name: who(entry, voice) }) : voice.t('undo.last')
  return (
    <button
      type="button"
      class={style.undoLast}
      disabled={!entry || !works(desk.state.value)}
      title={`${label} (${shortcuts.undo})`}
      aria-label={label}
      aria-keyshortcuts={shortcuts.undo}
      onClick={actions.undoLast}
    >
      <Icon name="undo" />
      <span>{voice.t('undo.last')}</span>
    </button>
  )
}

function GuestLink({ position, name }: { readonly position: number; readonly name: string }) {
  const { voice, actions } = useApp()
  const label = voice.t('guest.open.of', { name })
  return (
    <button
      type="button"
      class={style.guest}
      title={label}
      aria-label={label}
      onClick={() => actions.openGuest(position)}
    >
      <Icon name="person" />
    </button>
  )
}

function Line({ entry }: { readonly entry: Entry }) {
  const { desk, voice } = useApp()
  const look = lookOf(entry)
  const open = desk.state.value.view.key === entry.key
  const name = who(entry, voice) || entry.read.code
  const kept = look === 'waiting' && desk.state.value.link !== 'reached'
  return (
    <li>
      <button
        type="button"
        class={style.scan}
        data-unseen={entry.unseen || undefined}
        data-look={look}
        aria-current={open ? 'true' : undefined}
        onClick={() => desk.send({ type: 'opened', key: entry.key })}
      >
        <Shape name={look === 'ok' && entry.direction === 'exit' ? 'exit' : look} />
        <span class={style.name}>
          <bdi>{name}</bdi>
        </span>
        <span class={style.what}>
          {kept ? voice.t('history.kept') : headline(entry, voice)}
          {certaintyOf(entry) === 'offline' && (
            <span class={style.offline} title={voice.t('certainty.offline')}>
              <Icon name="unlinked" />
              <VisuallyHidden>{voice.t('certainty.offline')}</VisuallyHidden>
            </span>
          )}
          {entry.unseen && <em> · {voice.t('history.unseen')}</em>}
        </span>
        <time dateTime={entry.read.at}>{clock(entry.read.at, voice.timeZone, voice.language)}</time>
      </button>
      {entry.result?.position && <GuestLink position={entry.result.position.id} name={name} />}
    </li>
  )
}
