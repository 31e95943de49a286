import { effect } from '@preact/signals'
import type { ScanSource } from '../../schema/bodies/station.ts'
import { openKioskApi } from '../api/kiosk-api.ts'
import type { Desk } from '../scanning/desk.ts'
import { type Kiosk, type KioskTools, openKiosk } from './kiosk.ts'

interface GuestTools extends Omit<KioskTools, 'unlocked'> {
  readonly memory: Pick<Storage, 'getItem' | 'setItem'>
}

/** The screen of guests at a station that is a kiosk. */
interface GuestScreen {
  readonly kiosk: Kiosk
  /** Whether guests are before the screen: the station is a kiosk, and no PIN has opened its own pages. */
  readonly areServed: () => boolean
  /** Takes a code for the kiosk, where the station is one. */
  readonly scanned: (code: string, source: ScanSource) => boolean
  /** Looks how the kiosk is, where the station is one. */
  readonly look: () => void
}

const kioskKey = 'gatehouse.kiosk'

/** Opens the guests' screen of a station. That it is one is remembered, so that guests see none of the staff's while the server is away. */
export function openGuestScreen(desk: Desk, { memory, ...tools }: GuestTools): GuestScreen {
  const isKiosk = () => desk.state.value.station?.is_kiosk ?? memory.getItem(kioskKey) === 'yes'
  const isOpened = () => desk.state.value.atStation || desk.state.value.settingUp
  const unlocked = () => {
    desk.send({ type: 'setting-up', open: true })
    look()
  }
  const kiosk = openKiosk(openKioskApi(), { ...tools, unlocked })
  const look = () => {
    if (isKiosk()) void kiosk.refresh()
  }
  effect(() => {
    const { station } = desk.state.value
    if (!station) return
    memory.setItem(kioskKey, station.is_kiosk ? 'yes' : 'no')
    look()
  })
  return {
    kiosk,
    look,
    areServed: () => isKiosk() && !isOpened(),
    scanned(code, source) {
      if (isKiosk() && !isOpened()) kiosk.scanned(code, source)
      return isKiosk()
    },
  }
}
