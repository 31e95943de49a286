import type { KioskPrints } from '../../schema/bodies/kiosk.ts'
import type { Direction } from '../../schema/bodies/station.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import type { Kiosk } from './kiosk.ts'
import { isPrinting, needsDesk, type Stage } from './kiosk-state.ts'
import { pageLook } from './page-look.tsx'
import { productOf } from './pages.tsx'

interface Props {
  readonly kiosk: Kiosk
  readonly stage: Extract<Stage, { readonly name: 'done' }>
  readonly direction: Direction
}

/** The guest is checked in, and what is printed for them comes out. */
export function Done({ kiosk, stage: { result, prints }, direction }: Props) {
  const { voice, language } = useApp()
  const { t } = voice
  const isExit = direction === 'exit'
  const welcome = result.name ? t('kiosk.done.name', { name: result.name }) : t('kiosk.done.title')
  const stays = isPrinting(prints) || needsDesk(prints)
  return (
    <>
      <div class={pageLook.picture} data-small={prints !== null && prints.results.length > 0}>
        <Icon name="check" />
      </div>
      <h1 tabIndex={-1}>{isExit ? t('kiosk.done.exit') : welcome}</h1>
      {result.ticket && (
        <p class={pageLook.ticket}>
          <strong>{productOf(result.ticket, language)}</strong>
          {result.ticket.seat && <span>{result.ticket.seat}</span>}
        </p>
      )}
      <p>{t(isExit ? 'kiosk.done.leave' : stays ? 'kiosk.done.in' : 'kiosk.done.go')}</p>
      {prints && <Prints kiosk={kiosk} prints={prints} />}
    </>
  )
}

/** What is printed for the guest, and where they are helped if it does not come. */
function Prints({ kiosk, prints }: { readonly kiosk: Kiosk; readonly prints: KioskPrints }) {
  const { t } = useApp().voice
  if (prints.results.length === 0) return null
  const isEarlier = prints.results.every(({ state }) => state !== 'failed')
  return (
    <>
      <div class={pageLook.prints} role="status">
        {prints.results.map(({ document, state }) => (
          <p key={document} data-guest-print={state}>
            {t(`kiosk.print.${state}.${document}`)}
          </p>
        ))}
      </div>
      {needsDesk(prints) && (
        <>
          <p class={pageLook.code}>
            {t(isEarlier ? 'kiosk.print.missing' : 'kiosk.print.desk')}{' '}
            <strong dir="ltr">{prints.code}</strong>
          </p>
          <Buttons class={pageLook.buttons}>
            <Button kind="primary" icon="check" onPress={() => kiosk.send({ type: 'read' })}>
              {t('kiosk.print.noted')}
            </Button>
          </Buttons>
        </>
      )}
    </>
  )
}
