import './parts/base.css'
import { effect, signal, useSignalEffect } from '@preact/signals'
import { render } from 'preact'
import type { DemoProgress } from '../schema/bodies/station-state.ts'
import { openDisplayApi } from './api/display-api.ts'
import { openDrawerApi } from './api/drawer-api.ts'
import { openLinkApi } from './api/link-api.ts'
import { type LiveEvents, listen } from './api/live.ts'
import { openOrderApi } from './api/orders-api.ts'
import { openParkingApi } from './api/parking-api.ts'
import { openPaymentsApi } from './api/payments-api.ts'
import { openApi, openWindow } from './api/requests.ts'
import { openSalesApi } from './api/sales-api.ts'
import { openStaffApi } from './api/staff-api.ts'
import { BoxOffice } from './box-office/box-office.tsx'
import { openGuestDisplay } from './box-office/display/guest-display.ts'
import { shownToGuest } from './box-office/display/shown-to-guest.ts'
import { keepStockCurrent } from './box-office/stock.ts'
import { openTill } from './box-office/till.ts'
import { Entrance } from './entrance/entrance.tsx'
import { Help } from './entrance/help.tsx'
import { openGuestScreen } from './kiosk/guest-screen.ts'
import { KioskScreen } from './kiosk/kiosk.tsx'
import { AppContext } from './parts/context.ts'
import { printsHere } from './printing/prints-here.ts'
import { printInWindow } from './printing/window-printer.ts'
import { actionsAt } from './scanning/actions.ts'
import { listenToBack } from './scanning/back.ts'
import { openDesk } from './scanning/desk.ts'
import { directionOf } from './scanning/desk-state.ts'
import { openIntake } from './scanning/intake.ts'
import { listenToKeys } from './scanning/keys.ts'
import { screenOf, works } from './scanning/screen.ts'
import type { Shortcut } from './scanning/shortcuts.ts'
import { playSignals } from './scanning/signals.ts'
import { openSound } from './scanning/sound.ts'
import { scanStorage, type TabMessage } from './scanning/stored-scans.ts'
import { guardedApi, guardedLinkApi } from './staff/guarded-api.ts'
import { openStaffDesk } from './staff/staff-desk.ts'
import { Banners } from './station/banners.tsx'
import { markLanguage, speakAtStation } from './text/spoken-language.ts'
import { translator } from './text/translate.ts'
import { openConnection } from './upstream/connection.ts'
import { isPairingCode } from './upstream/pairing-code.ts'

// The shell hears that this page is alive, before anything that a server answers.
void window.gatehouse?.state()
await openWindow(location, history)

/** Where this station is set up, once that is known. */
const settingsHere = () => desk.state.value.station?.settings ?? null
const staff = openStaffDesk(openStaffApi(), () => settingsHere()?.organizer ?? null)
const api = guardedApi(openApi(), staff)
const after = (milliseconds: number, then: () => void) => {
  const timer = setTimeout(then, milliseconds)
  return () => clearTimeout(timer)
}
/** Random ids also where there is no secure context, on a tablet over plain http. */
const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const channel = new BroadcastChannel('gatehouse.tabs')
const tabs = {
  say: (message: TabMessage) => channel.postMessage(message),
  hear: (listener: (message: TabMessage) => void) => {
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => listener(data)
  },
}
const desk = openDesk(api, after, scanStorage({ memory: localStorage, tabs, page: newId(), after }))
const actions = actionsAt(desk, {
  newId,
  now: () => new Date().toISOString(),
  memory: localStorage,
  lookUpAtTill: (code) => till.scanned(code),
})
const connection = openConnection(guardedLinkApi(openLinkApi(), staff), {
  now: () => performance.now(),
  memory: localStorage,
})
const paired = (code: string): boolean => {
  // Only where somebody asked for it: a stranger's code held up at the gate connects nothing.
  if (!connection.state.value.pairing.open) return false
  if (isPairingCode(code)) void connection.join(code)
  // Where nothing can be judged yet, a ticket is said to be none.
  else if (!works(desk.state.value)) connection.mistook()
  else return false
  return true
}
const till = openTill(openSalesApi(), openPaymentsApi(), {
  newId,
  staff,
  drawers: openDrawerApi(),
  orders: openOrderApi(),
  parking: openParkingApi(),
  after,
  now: () => Date.now(),
  memory: localStorage,
  place: settingsHere,
  timeZone: () => desk.state.value.station?.settings?.timezone ?? 'UTC',
})
/** Whether this station sells at the moment: then nobody is admitted by what is scanned. */
const isTill = (): boolean => desk.state.value.station?.settings?.task === 'box-office'
const spoken = speakAtStation(localStorage, {
  isKnown: () => desk.state.value.link !== 'starting',
  chosen: () => settingsHere()?.locale ?? actions.language.value,
  browser: navigator.languages,
  after,
})
const languageHere = () => spoken.value ?? 'en'
const guests = openGuestScreen(desk, { newId, after, memory: localStorage, shell: () => window.gatehouse })
const display = openGuestDisplay(openDisplayApi(), till.id)
/** A badge, where somebody is asked who they are; else what a till looks up. */
const scannedAtTill = (code: string): void => {
  if (!staff.scanned(code)) till.scanned(code)
}
const intake = openIntake(
  (code, source, more) => {
    if (guests.scanned(code, source)) return
    if (isTill()) scannedAtTill(code)
    else if (paired(code)) return
    // At an entrance a badge is what is read while somebody is asked who they are.
    else if (!staff.state.value.question || !staff.scanned(code)) actions.read(code, source, more)
  },
  localStorage,
  paired,
)
const sound = openSound()
const demo = signal<DemoProgress | null>(null)

const pressed = (shortcut: Shortcut): void => {
  if (guests.areServed()) return
  const working = works(desk.state.value)
  // Somebody is asked who they are: their keys are for that.
  if (!isTill() && staff.state.value.question) return
  if (shortcut === 'help' && !staff.state.value.question) actions.helping.value = !actions.helping.value
  else if (actions.helping.value && shortcut === 'close') actions.close()
  else if (isTill() && working) till.press(shortcut)
  else if (shortcut === 'close') actions.close()
  else if (!working) return
  else if (shortcut === 'search') actions.search()
  else if (shortcut === 'camera') actions.setCamera(!actions.cameraOn())
  else if (shortcut === 'sound') actions.setSound(!actions.soundOn())
  else if (shortcut === 'undo') actions.undoLast()
  else if (shortcut === 'direction')
    actions.turn(directionOf(desk.state.value) === 'entry' ? 'exit' : 'entry')
}
listenToKeys(intake.fromKeys, pressed)
listenToBack(() => pressed('close'))

listen<LiveEvents>(
  {
    result: (result) => {
      if (!intake.isCheck(result) && !paired(result.code)) desk.send({ type: 'reported', result })
    },
    counts: (counts) => desk.send({ type: 'counted', counts }),
    scanners: (scanners) => desk.send({ type: 'plugged', scanners }),
    settings: (station) => desk.send({ type: 'loaded', station }),
    link: (link) => {
      connection.heard(link)
      guests.look()
    },
    alert: connection.alerted,
    update: connection.heardUpdate,
    baskets: ({ results }) => till.send({ type: 'baskets-parked', baskets: results }),
    prints: (prints) => {
      till.send({ type: 'printing', prints: prints.results })
      printsHere.heard(prints)
    },
    kiosk: () => guests.look(),
    'print-pages': (pages) => void printInWindow(pages),
    unjudged: ({ code }) => {
      if (paired(code)) return
      if (guests.scanned(code, 'hid')) return
      if (isTill()) scannedAtTill(code)
      else desk.send({ type: 'noticed', kind: 'not-set-up', text: '' })
    },
    demo: (progress) => {
      demo.value = progress
    },
    display: ({ till: id }) => display.asked(id),
  },
  {
    opened: () => {
      void desk.refresh()
      void connection.refresh()
      void connection.lookForUpdate()
    },
    broken: () => void desk.refresh(),
  },
)

playSignals(sound, { desk, connection, isOn: () => actions.soundOn() })

/** Milliseconds between two looks at how old the data is; what changes otherwise is reported by the server. */
const lookEvery = 15_000
setInterval(() => {
  void connection.refresh()
  guests.look()
}, lookEvery)
/** A revoked station gives its data up when everything is sent, which is not reported to the page. */
setInterval(() => {
  if (connection.state.value.link?.revoked && works(desk.state.value)) void desk.refresh()
}, 2000)
setInterval(() => connection.send({ type: 'ticked', at: performance.now() }), 1000)

/** What of the entrance fills the screen also where this station is a till. */
const others: ReadonlySet<string> = new Set(['starting', 'locked', 'unreachable', 'setup', 'station'])

keepStockCurrent(till, { isTill, link: () => connection.state.value.link?.state })
effect(() => {
  const voice = { t: translator(languageHere()), language: languageHere() }
  const event = settingsHere()?.event_name ?? ''
  display.tell(shownToGuest(till.state.value, { ...voice, event, isClosed: !isTill() }))
})
/** Nothing is said before it is known in which language. */
const App = () => (spoken.value === null ? null : <Screens />)

function Screens() {
  const settings = desk.state.value.station?.settings
  const language = languageHere()
  const voice = { t: translator(language), language, timeZone: settings?.timezone ?? 'UTC' }
  useSignalEffect(() => {
    document.title = desk.state.value.station?.settings?.event_name ?? 'Gatehouse'
  })
  markLanguage(document.documentElement, language)
  const screen = screenOf(desk.state.value)
  return (
    <AppContext
      value={{
        desk,
        api,
        voice,
        language,
        actions,
        connection,
        demo: demo.value,
        check: intake.check.value,
        staff,
      }}
    >
      {!guests.areServed() && <Banners />}
      {guests.areServed() && screen.name !== 'starting' ? (
        <KioskScreen kiosk={guests.kiosk} onCamera={intake.fromCamera} />
      ) : isTill() && !others.has(screen.name) ? (
        <BoxOffice till={till} />
      ) : (
        <Entrance soundBlocked={sound.blocked.value} onCamera={intake.fromCamera} />
      )}
      {actions.helping.value && <Help isTill={isTill()} />}
    </AppContext>
  )
}

const root = document.getElementById('app')
if (root) render(<App />, root)
void desk.refresh()
void connection.refresh()
