import { useLayoutEffect, useRef } from 'preact/hooks'
import { CameraView } from '../camera/camera-view.tsx'
import { useApp } from '../parts/context.ts'
import { VisuallyHidden } from '../parts/visually-hidden.tsx'
import { UnprintedHere } from '../printing/unprinted.tsx'
import { Asking } from '../questions/asking.tsx'
import { directionOf } from '../scanning/desk-state.ts'
import { lookOf } from '../scanning/entries.ts'
import type { Sighting } from '../scanning/intake.ts'
import { type Screen, screenOf } from '../scanning/screen.ts'
import { announcement, listOfTicket } from '../scanning/wording.ts'
import { Setup } from '../setup/setup.tsx'
import { StaffQuestions, useIdleLock } from '../sign-in/staff-at-work.tsx'
import { StationPage } from '../station/station-page.tsx'
import { StatisticsPage } from '../statistics/statistics-page.tsx'
import { DoorNotices } from './door-notices.tsx'
import style from './entrance.module.css'
import { GuestPage } from './guest/guest-page.tsx'
import { Header } from './header.tsx'
import { History } from './history.tsx'
import { Deciding, Ready } from './ready.tsx'
import { Result } from './result.tsx'
import { SampleTickets } from './sample-tickets.tsx'
import { Search } from './search.tsx'
import { Tools } from './tools.tsx'
import { UndoQuestion } from './undo-question.tsx'
import { Unpaid } from './unpaid.tsx'
import { Locked, Unreachable } from './unreachable.tsx'

interface Props {
  readonly soundBlocked: boolean
  readonly onCamera: (sighting: Sighting) => void
}

/** What fills the whole screen. */
const frameless: ReadonlySet<Screen['name']> = new Set(['setup', 'station', 'statistics', 'starting'])

/** The entrance: one screen for one volunteer with a queue in front of them. */
export function Entrance({ soundBlocked, onCamera }: Props) {
  const { desk, actions } = useApp()
  const state = desk.state.value
  useIdleLock()
  const { frame, stage } = useResultInSight(state.view.turn)
  const screen = screenOf(state)
  const framed = !frameless.has(screen.name)
  const camera = actions.cameraOn() && state.link === 'reached' && framed
  return (
    <>
      {framed && <DoorNotices />}
      <div
        id="entrance"
        ref={frame}
        class={style.entrance}
        data-state={screen.name}
        data-direction={directionOf(state)}
        data-look={lookOfScreen(screen)}
      >
        {framed && <Header />}
        {framed && <Tools soundBlocked={soundBlocked} />}
        {framed && <UnprintedHere />}
        <main class={style.stage} ref={stage}>
          {camera && <CameraView onScan={onCamera} />}
          <Stage screen={screen} turn={state.view.turn} camera={camera} />
          <Notices />
        </main>
        {framed && <History />}
        <Live screen={screen} />
        <StaffQuestions locks={false} />
      </div>
    </>
  )
}

/** Scrolls to each new result where the screen is too small to hold all, and does nothing else. */
function useResultInSight(turn: number) {
  const frame = useRef<HTMLDivElement>(null)
  const stage = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    frame.current?.scrollTo({ top: stage.current?.offsetTop ?? 0 })
  }, [turn])
  return { frame, stage }
}

function lookOfScreen(screen: Screen): string {
  if (screen.name === 'undo-asked') return 'question'
  if ('entry' in screen) return lookOf(screen.entry)
  return screen.name === 'unreachable' || screen.name === 'locked' ? 'failed' : 'plain'
}

interface StageProps {
  readonly screen: Screen
  readonly turn: number
  readonly camera: boolean
}

function Stage({ screen, turn, camera }: StageProps) {
  switch (screen.name) {
    case 'starting':
      return null
    case 'locked':
      return <Locked />
    case 'unreachable':
      return <Unreachable />
    case 'setup':
      return <Setup />
    case 'station':
      return <StationPage />
    case 'statistics':
      return <StatisticsPage />
    case 'search':
      return <Search />
    case 'guest':
      return <GuestPage key={screen.position} position={screen.position} />
    case 'ready':
      return (
        <>
          <Ready camera={camera} />
          {!camera && <SampleTickets />}
        </>
      )
    case 'deciding':
      return <Deciding code={screen.entry.read.code} />
    case 'asking':
      return <Asking key={turn} entry={screen.entry} />
    case 'unpaid':
      return <Unpaid key={turn} entry={screen.entry} />
    case 'undo-asked':
      return <UndoQuestion key={turn} entry={screen.entry} />
    case 'admitted':
    case 'refused':
    case 'undone':
    case 'failed':
      return <Result key={turn} entry={screen.entry} />
    default:
      return screen satisfies never
  }
}

/** What a screen reader says: every result at once, whatever it was saying. */
function Live({ screen }: { readonly screen: Screen }) {
  const { desk, voice } = useApp()
  const settled = 'entry' in screen && screen.name !== 'deciding'
  return (
    <VisuallyHidden aria-live="assertive" aria-atomic="true">
      {settled && (
        <span key={desk.state.value.view.turn}>
          {announcement(screen.entry, voice, {
            asksUndo: screen.name === 'undo-asked',
            list: listOfTicket(screen.entry, desk.state.value.station?.settings),
          })}
        </span>
      )}
    </VisuallyHidden>
  )
}

function Notices() {
  const { desk, voice } = useApp()
  const { notice } = desk.state.value
  return (
    <div class={style.notices} role="status">
      {notice && (
        <p key={notice.turn} class={style.notice} data-notice={notice.kind}>
          {voice.t(`notice.${notice.kind}`, { text: notice.text })}
        </p>
      )}
    </div>
  )
}
