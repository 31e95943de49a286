import { useSignal } from '@preact/signals'
import type { TillDrawer } from '../../../schema/bodies/sale-catalogue.ts'
import type { StaffRight } from '../../../schema/staff-rights.ts'
import { Button } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { LabelledField } from '../../parts/field.tsx'
import { TillCountryNotice } from '../../setup/till-country.tsx'
import { formatMoment } from '../../text/format.ts'
import type { KeyedRequest } from '../acts.ts'
import { writtenAmount } from '../amounts.ts'
import { useTill } from '../context.ts'
import { DrawerForm } from './drawer-form.tsx'
import { TillsAtDrawer } from './tills-at-drawer.tsx'

/** Does something with a drawer that needs a right. */
export type DrawerAct = (right: StaffRight, work: KeyedRequest<unknown>) => Promise<void>

interface ActProps {
  readonly act: DrawerAct
}

/** Opens a drawer for this till, or has it work at one that is open at another till. */
export function OpeningForm({ act }: ActProps) {
  const { state } = useTill()
  return (
    <>
      <NewDrawer act={act} />
      {state.catalogue?.other_drawers.map((drawer) => (
        <OtherDrawer key={drawer.id} drawer={drawer} act={act} />
      ))}
    </>
  )
}

function NewDrawer({ act }: ActProps) {
  const { till, t } = useTill()
  const country = useApp().desk.state.value.station?.settings?.country ?? ''
  const float = useSignal('')
  const written = writtenAmount(float.value)
  return (
    <DrawerForm>
      <p>{t('till.no-drawer')}</p>
      <TillCountryNotice country={country} />
      <LabelledField id="drawer-float" label={t('till.float')} text={float} inputMode="decimal" />
      <Button
        kind="primary"
        disabled={written === null}
        onPress={() =>
          written && void act('close_drawer', (place, attempt) => till.drawers.open(place, written, attempt))
        }
      >
        {t('till.open-drawer')}
      </Button>
    </DrawerForm>
  )
}

function OtherDrawer({ drawer, act }: ActProps & { readonly drawer: TillDrawer }) {
  const { till, t } = useTill()
  const when = useDrawerTime(drawer)
  return (
    <DrawerForm>
      <p>{t('till.drawer-since', { name: drawer.name, when })}</p>
      <TillsAtDrawer drawer={drawer} />
      <Button
        onPress={() => void act('sell', (place, attempt) => till.drawers.join(place, drawer.id, attempt))}
      >
        {t('till.join-drawer')}
      </Button>
    </DrawerForm>
  )
}

/** When a drawer was opened, as people at the till read it. */
export function useDrawerTime({ opened }: TillDrawer): string {
  const { timeZone, language } = useApp().voice
  return formatMoment(opened, new Date().toISOString(), timeZone, language)
}
