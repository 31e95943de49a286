import { Button } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { movesOn } from '../../scanning/desk-state.ts'
import type { Entry } from '../../scanning/entries.ts'
import { who } from '../../scanning/wording.ts'

/** Opens the guest of a scan that stays on the screen, where it is known whose ticket it is. */
export function GuestButton({ entry }: { readonly entry: Entry }) {
  const { desk, voice, actions } = useApp()
  const position = entry.result?.position
  if (!position || movesOn(desk.state.value)) return null
  return (
    <Button
      icon="person"
      data-opens-guest
      label={voice.t('guest.open.of', { name: who(entry, voice) })}
      onPress={() => actions.openGuest(position.id)}
    >
      {voice.t('guest.open')}
    </Button>
  )
}
