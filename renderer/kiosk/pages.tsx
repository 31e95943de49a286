import { type KioskOffer, kioskFaults } from '../../schema/bodies/kiosk.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import { ObjectionText } from '../parts/objection.tsx'
import { PinPad } from '../parts/pin-pad.tsx'
import { localized } from '../text/translate.ts'
import type { Kiosk } from './kiosk.ts'
import type { GuestRefusal } from './kiosk-state.ts'
import { pageLook } from './page-look.tsx'
import { refusalWords } from './refusal.ts'

interface OfKiosk {
  readonly kiosk: Kiosk
}

/** Waits for the next guest. */
export function Welcome({ kiosk, hasCamera }: OfKiosk & { readonly hasCamera: boolean }) {
  const { t } = useApp().voice
  const isExit = kiosk.state.value.facts?.direction === 'exit'
  return (
    <>
      {!hasCamera && (
        <div class={pageLook.picture}>
          <Icon name="scanner" />
        </div>
      )}
      <h1 tabIndex={-1}>{t(isExit ? 'kiosk.scan.exit' : 'kiosk.scan')}</h1>
      <p>{t('kiosk.scan.how')}</p>
      <Buttons class={pageLook.buttons}>
        <Button icon="search" onPress={() => kiosk.send({ type: 'finding', way: 'order' })}>
          {t('kiosk.find')}
        </Button>
      </Buttons>
    </>
  )
}

/** Something is on its way. */
export function OneMoment() {
  const { t } = useApp().voice
  return (
    <div role="status">
      <h1 tabIndex={-1}>{t('kiosk.wait')}</h1>
    </div>
  )
}

/** What a ticket is for. */
export const productOf = (
  { item_name, variation_name }: Pick<KioskOffer, 'item_name' | 'variation_name'>,
  language: string,
) =>
  [localized(item_name, language), localized(variation_name, language)]
    .filter((part) => part !== '')
    .join(' · ')

/** One ticket of the order of a guest who has proved that it is theirs. */
export function Offer({ kiosk }: OfKiosk) {
  const { voice, language } = useApp()
  const { t } = voice
  const { offers } = kiosk.state.value
  const offer = offers?.list[offers.at]
  if (!offers || !offer) return null
  const more = offers.list.length - offers.at - 1
  return (
    <>
      <h1 tabIndex={-1}>{t('kiosk.offer.title')}</h1>
      <p class={pageLook.ticket}>
        <strong>{productOf(offer, language)}</strong>
        <span dir="ltr">{offer.number}</span>
      </p>
      {more > 0 && <p>{t('kiosk.offer.more', { count: more })}</p>}
      <Buttons class={pageLook.buttons}>
        <Button kind="primary" icon="check" onPress={kiosk.take}>
          {t('kiosk.offer.take')}
        </Button>
        <Button icon="next" onPress={() => kiosk.send({ type: 'skipped' })}>
          {t('kiosk.offer.skip')}
        </Button>
        <StartOver kiosk={kiosk} />
      </Buttons>
    </>
  )
}

/** Goes back to the beginning and forgets the guest. */
export function StartOver({ kiosk }: OfKiosk) {
  const { t } = useApp().voice
  return (
    <Button kind="quiet" icon="undo" onPress={() => kiosk.send({ type: 'restarted' })}>
      {t('kiosk.start-over')}
    </Button>
  )
}

/** The guest cannot be helped here: where to go, and what to say there. */
export function Refused({ kiosk, refusal }: OfKiosk & { readonly refusal: GuestRefusal }) {
  const { t } = useApp().voice
  return (
    <>
      <h1 tabIndex={-1}>{t('kiosk.staff')}</h1>
      <p>{refusal.reason === 'busy' ? t('kiosk.busy') : t(refusalWords(refusal.reason))}</p>
      {refusal.code !== '' && (
        <p class={pageLook.code}>
          {t('kiosk.staff.code')} <strong dir="ltr">{refusal.code}</strong>
        </p>
      )}
      {refusal.reason !== 'busy' && (
        <Buttons class={pageLook.buttons}>
          <StartOver kiosk={kiosk} />
        </Buttons>
      )}
    </>
  )
}

/** Guests are not served: with what staff know the cause by. */
export function OutOfOrder({ code, device }: { readonly code: string; readonly device: string }) {
  const { t } = useApp().voice
  return (
    <>
      <div class={pageLook.picture}>
        <Icon name="warn" />
      </div>
      <h1 tabIndex={-1}>{t('kiosk.out.title')}</h1>
      <p>{t('kiosk.out.go')}</p>
      <p class={pageLook.code}>
        <strong>{t('kiosk.out.code', { code })}</strong>
        {device !== '' && <span>{t('kiosk.out.device', { number: device })}</span>}
      </p>
    </>
  )
}

/** Asks staff for a PIN before anything of the station is shown. */
export function StaffPin({ kiosk, trouble }: OfKiosk & { readonly trouble: '' | 'wrong' | 'wait' }) {
  const { t } = useApp().voice
  const { facts } = kiosk.state.value
  const isAsked = facts?.asks_pin === true || window.gatehouse !== undefined
  const codes = facts?.faults.map(({ fault }) => kioskFaults[fault]) ?? []
  return (
    <>
      <h1 tabIndex={-1}>{t('kiosk.pin.open')}</h1>
      {codes.length > 0 && <p>{t('kiosk.out.code', { code: codes.join(' · ') })}</p>}
      <ObjectionText id="objection" class={pageLook.objection}>
        {trouble === '' ? '' : t(trouble === 'wait' ? 'kiosk.pin.wait' : 'kiosk.pin.wrong')}
      </ObjectionText>
      {isAsked ? (
        <PinPad
          id="kiosk-pin"
          label={t('kiosk.pin')}
          confirm={t('kiosk.pin.open')}
          longest={64}
          isAnyText
          onSend={kiosk.unlock}
        >
          <StartOver kiosk={kiosk} />
        </PinPad>
      ) : (
        <>
          <p>{t('kiosk.pin.none')}</p>
          <Buttons class={pageLook.buttons}>
            <Button kind="primary" onPress={() => void kiosk.unlock('')}>
              {t('kiosk.pin.open')}
            </Button>
            <StartOver kiosk={kiosk} />
          </Buttons>
        </>
      )}
    </>
  )
}
