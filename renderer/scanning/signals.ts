import { effect } from '@preact/signals'
import type { StationConnection } from '../upstream/connection.ts'
import type { Desk } from './desk.ts'
import type { openSound } from './sound.ts'

interface Signalling {
  readonly desk: Pick<Desk, 'state'>
  readonly connection: Pick<StationConnection, 'state'>
  readonly isOn: () => boolean
}

/** Plays what a scan sounds like, and the alarm for each contradiction, once each. */
export function playSignals(
  sound: Pick<ReturnType<typeof openSound>, 'play'>,
  { desk, connection, isOn }: Signalling,
): void {
  let played = 0
  effect(() => {
    const chime = desk.state.value.chime
    if (!chime || chime.turn === played) return
    played = chime.turn
    if (isOn()) sound.play(chime.tone)
  })
  let sounded = connection.state.value.alarms
  effect(() => {
    const { alarms } = connection.state.value
    if (alarms === sounded) return
    sounded = alarms
    if (isOn()) sound.play('alert')
  })
}
