import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type KioskFault, kioskFaults } from '../../schema/bodies/kiosk.ts'
import { isLanguage, languageOf, languages } from '../../schema/texts/translate.ts'
import { CameraView } from '../camera/camera-view.tsx'
import { AppContext, useApp } from '../parts/context.ts'
import { inkOn } from '../parts/ink.ts'
import { VisuallyHidden } from '../parts/visually-hidden.tsx'
import type { Sighting } from '../scanning/intake.ts'
import { works } from '../scanning/screen.ts'
import { markLanguage } from '../text/spoken-language.ts'
import { localized, translator } from '../text/translate.ts'
import { Done } from './done.tsx'
import { Find } from './find.tsx'
import style from './kiosk.module.css'
import type { Kiosk as KioskDesk } from './kiosk.ts'
import type { Stage } from './kiosk-state.ts'
import { Name } from './name.tsx'
import { Offer, OneMoment, OutOfOrder, Refused, StaffPin, Welcome } from './pages.tsx'
import { Questions } from './questions.tsx'
import { StillThere } from './still-there.tsx'

interface Props {
  readonly kiosk: KioskDesk
  readonly onCamera: (sighting: Sighting) => void
}

/** Why guests are not served at the moment, or null. */
function faultOf(kiosk: KioskDesk, isWorking: boolean, isReached: boolean): KioskFault | null {
  if (!isReached) return 'server'
  return kiosk.state.value.facts?.faults[0]?.fault ?? (isWorking ? null : 'event')
}

/** What a guest reads to its end, and staff see, also once the kiosk is out of order. */
const isRead = ({ name }: Stage): boolean => ['naming', 'named', 'done', 'refused', 'staff'].includes(name)

/** The colour of guests' screens where the organizer has none. */
const usualColor = '#0a55ad'

/** The screen of a kiosk, where guests check themselves in. */
export function KioskScreen({ kiosk, onCamera }: Props) {
  const app = useApp()
  const { desk, actions, connection } = app
  const frame = useRef<HTMLDivElement>(null)
  const state = kiosk.state.value
  const { stage, facts, isIdle } = state
  const language = kiosk.spoken() ?? app.language
  const voice = { ...app.voice, t: translator(language), language }
  const fault = faultOf(kiosk, works(desk.state.value), desk.state.value.link === 'reached')
  const shownFault = isRead(stage) ? null : fault
  const name = shownFault ? 'out-of-order' : stage.name
  const isUpdating = connection.update.value?.phase === 'installing'
  const color = facts?.event?.color ?? usualColor
  useLayoutEffect(() => {
    const shown = frame.current?.style
    shown?.setProperty('--brand', color)
    shown?.setProperty('--on-brand', inkOn(color))
  }, [color])
  useLayoutEffect(() => {
    const field = frame.current?.querySelector<HTMLElement>('main input, main textarea')
    const target = field ?? frame.current?.querySelector<HTMLElement>('main h1')
    target?.focus({ preventScroll: true })
  }, [name, state.step, state.offers?.at, stage.name === 'naming' && stage.typed === null])
  useLayoutEffect(() => {
    markLanguage(document.documentElement, language)
  }, [language])
  useSignsOfLife(kiosk)
  const camera = actions.cameraOn() && name === 'welcome'
  return (
    <AppContext value={{ ...app, voice, language }}>
      <div id="kiosk" ref={frame} class={style.kiosk} data-state={name}>
        <header class={style.header}>
          <p>{localized(facts?.event?.name, language)}</p>
        </header>
        <main class={style.stage}>
          {camera && (
            <div class={style.camera}>
              <CameraView onScan={onCamera} />
            </div>
          )}
          <section class={style.page} aria-label={voice.t('kiosk.label')}>
            {isUpdating && shownFault === 'server' ? (
              <OneMoment />
            ) : shownFault ? (
              <OutOfOrder code={kioskFaults[shownFault]} device={facts?.device ?? ''} />
            ) : (
              <Page kiosk={kiosk} hasCamera={camera} />
            )}
          </section>
        </main>
        <Languages kiosk={kiosk} />
        {isIdle && <StillThere kiosk={kiosk} />}
        <VisuallyHidden aria-live="assertive" aria-atomic="true">
          {name === 'done' && voice.t('kiosk.done.title')}
          {name === 'refused' && voice.t('kiosk.staff')}
        </VisuallyHidden>
        <Corner kiosk={kiosk} />
      </div>
    </AppContext>
  )
}

/** Whatever is touched or typed says that somebody is there. */
function useSignsOfLife(kiosk: KioskDesk): void {
  useEffect(() => {
    const touched = () => kiosk.send({ type: 'touched' })
    window.addEventListener('pointerdown', touched)
    window.addEventListener('keydown', touched)
    return () => {
      window.removeEventListener('pointerdown', touched)
      window.removeEventListener('keydown', touched)
    }
  }, [kiosk])
}

function Page({ kiosk, hasCamera }: { readonly kiosk: KioskDesk; readonly hasCamera: boolean }) {
  const { stage, facts } = kiosk.state.value
  switch (stage.name) {
    case 'welcome':
      return <Welcome kiosk={kiosk} hasCamera={hasCamera} />
    case 'find':
      return <Find kiosk={kiosk} way={stage.way} trouble={stage.trouble} />
    case 'searching':
    case 'deciding':
    case 'named':
      return <OneMoment />
    case 'offer':
      return <Offer kiosk={kiosk} />
    case 'asking':
      return <Questions kiosk={kiosk} questions={stage.result.questions} />
    case 'naming':
      return <Name kiosk={kiosk} stage={stage} />
    case 'done':
      return <Done kiosk={kiosk} stage={stage} direction={facts?.direction ?? 'entry'} />
    case 'refused':
      return <Refused kiosk={kiosk} refusal={stage.refusal} />
    case 'busy':
      return <Refused kiosk={kiosk} refusal={{ reason: 'busy', code: '' }} />
    case 'staff':
      return <StaffPin kiosk={kiosk} trouble={stage.trouble} />
    default:
      return stage satisfies never
  }
}

/** The languages of the event that there are texts in, by their own names. */
function Languages({ kiosk }: { readonly kiosk: KioskDesk }) {
  const { voice, language } = useApp()
  const spoken = (kiosk.state.value.facts?.event?.languages ?? [])
    .map((locale) => (isLanguage(locale.split('-', 1)[0] ?? '') ? languageOf(locale) : null))
    .filter((one) => one !== null)
  const offered = [...new Set(spoken)]
  if (offered.length < 2) return null
  return (
    <nav class={style.languages} aria-label={voice.t('kiosk.language')}>
      {offered.map((one) => (
        <button
          key={one}
          type="button"
          lang={one}
          aria-pressed={one === language}
          onClick={() => kiosk.send({ type: 'spoken', language: one })}
        >
          {languages[one]}
        </button>
      ))}
    </nav>
  )
}

/** How many presses on the corner, and within how many milliseconds, call the staff's page. */
const presses = 5
const within = 4000

/** A corner without a mark: staff press it five times and are asked for a PIN. */
function Corner({ kiosk }: { readonly kiosk: KioskDesk }) {
  const at = useRef<readonly number[]>([])
  return (
    <div
      class={style.corner}
      data-corner
      aria-hidden="true"
      onPointerDown={({ timeStamp }) => {
        at.current = [...at.current.filter((one) => timeStamp - one < within), timeStamp]
        if (at.current.length < presses) return
        at.current = []
        kiosk.send({ type: 'staff-called' })
      }}
    />
  )
}
