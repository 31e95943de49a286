import { effect, signal, useSignalEffect } from '@preact/signals'
import { render } from 'preact'
import { openApi } from './api.ts'
import type { DemoProgress } from './contract.ts'
import { actionsAt } from './entrance/actions.ts'
import { openDesk } from './entrance/desk.ts'
import { Entrance } from './entrance/entrance.tsx'
import { openIntake } from './entrance/intake.ts'
import { listenToKeys } from './entrance/keys.ts'
import { works } from './entrance/screen-of.ts'
import { shelfIn } from './entrance/shelf.ts'
import { openSound } from './entrance/sound.ts'
import { directionOf } from './entrance/state.ts'
import { Around } from './entrance/surroundings.ts'
import { listen } from './live.ts'
import { languageOf, translator } from './text/translate.ts'

const api = openApi()
const after = (milliseconds: number, then: () => void) => {
  const timer = setTimeout(then, milliseconds)
  return () => clearTimeout(timer)
}
/** Random ids also where there is no secure context, on a tablet over plain http. */
const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const desk = openDesk(api, after, shelfIn(localStorage))
const actions = actionsAt(desk, { newId, now: () => new Date().toISOString(), memory: localStorage })
const intake = openIntake(actions.read, localStorage)
const sound = openSound()
const demo = signal<DemoProgress | null>(null)

listenToKeys(intake.fromKeys, (shortcut) => {
  const working = works(desk.state.value)
  if (shortcut === 'close') actions.close()
  else if (shortcut === 'help') actions.helping.value = !actions.helping.value
  else if (!working) return
  else if (shortcut === 'search') actions.search()
  else if (shortcut === 'camera') actions.setCamera(!actions.cameraOn())
  else if (shortcut === 'sound') actions.setSound(!actions.soundOn())
  else if (shortcut === 'undo') actions.undoLast()
  else actions.turn(directionOf(desk.state.value) === 'entry' ? 'exit' : 'entry')
})

listen({
  result: (result) => {
    if (!intake.isCheck(result)) desk.send({ type: 'reported', result })
  },
  counts: (counts) => desk.send({ type: 'counted', counts }),
  scanners: (scanners) => desk.send({ type: 'plugged', scanners }),
  settings: (station) => desk.send({ type: 'loaded', station }),
  demo: (progress) => {
    demo.value = progress
  },
  opened: () => void desk.refresh(),
  broken: () => void desk.refresh(),
})

let played = 0
effect(() => {
  const chime = desk.state.value.chime
  if (!chime || chime.turn === played) return
  played = chime.turn
  if (actions.soundOn()) sound.play(chime.tone)
})

function App() {
  const settings = desk.state.value.station?.settings
  const language = languageOf(settings?.locale ?? actions.language.value ?? navigator.language)
  const voice = { t: translator(language), language, timeZone: settings?.timezone ?? 'UTC' }
  useSignalEffect(() => {
    document.title = desk.state.value.station?.settings?.event_name ?? 'Gatehouse'
  })
  document.documentElement.lang = language
  return (
    <Around value={{ desk, api, voice, language, actions, demo: demo.value, check: intake.check.value }}>
      <Entrance soundBlocked={sound.blocked.value} onCamera={intake.fromCamera} />
    </Around>
  )
}

const root = document.getElementById('app')
if (root) render(<App />, root)
void desk.refresh()
