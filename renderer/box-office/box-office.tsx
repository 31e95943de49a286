import { useApp } from '../parts/context.ts'
import { Tool } from '../parts/tool.tsx'
import { VisuallyHidden } from '../parts/visually-hidden.tsx'
import { tillShortcuts } from '../scanning/shortcuts.ts'
import { LinkMark } from '../station/link-mark.tsx'
import { BasketPanel } from './basket-panel.tsx'
import style from './box-office.module.css'
import { TillContext, useTill } from './context.ts'
import { DateChoice } from './date-choice.tsx'
import { DrawerPanel } from './drawer-panel.tsx'
import { OrderPanel } from './order-panel.tsx'
import { OrderSearch } from './order-search.tsx'
import { Unsettled } from './payment/unsettled.tsx'
import { PaymentPanel } from './payment-panel.tsx'
import { ProductChoice } from './product-choice.tsx'
import { ProductGrid } from './product-grid.tsx'
import { SeatPanel } from './seats/seat-panel.tsx'
import { SoldPanel } from './sold-panel.tsx'
import { StaffAtWork, StaffQuestions, useIdleLock } from './staff/staff-at-work.tsx'
import type { Till } from './till.ts'
import { chosenOrder, type TillState } from './till-state.ts'

/** The box office: products on one side, the basket on the other, and paying in between. */
export function BoxOffice({ till }: { readonly till: Till }) {
  return (
    <TillContext value={till}>
      <Screen />
    </TillContext>
  )
}

function Screen() {
  const { state } = useTill()
  const view = viewOf(state)
  useIdleLock()
  return (
    <div id="box-office" class={style.boxOffice} data-state={view}>
      <Header />
      <Unsettled />
      <main class={style.stage}>
        {view === 'paying' && <PaymentPanel />}
        {view === 'choosing' && <ProductChoice />}
        {view === 'seats' && <SeatPanel />}
        {view === 'finding' && <OrderSearch />}
        {view === 'drawer' && <DrawerPanel />}
        {view === 'order' && <OrderPanel />}
        {view === 'selling' && <ProductGrid />}
        {state.sold && state.lines.length === 0 ? <SoldPanel /> : <BasketPanel />}
      </main>
      <Spoken />
      <StaffQuestions />
    </div>
  )
}

/** What stands beside the basket. */
function viewOf(
  state: TillState,
): 'paying' | 'choosing' | 'order' | 'finding' | 'drawer' | 'selling' | 'seats' {
  if (state.payment) return 'paying'
  if (state.orders) return chosenOrder(state) ? 'order' : 'finding'
  if (state.atDrawer) return 'drawer'
  const product = state.catalogue?.products.find(({ id }) => id === state.choosing)
  if (!product) return 'selling'
  return product.seated ? 'seats' : 'choosing'
}

function Header() {
  const { desk, voice } = useApp()
  const { till, state } = useTill()
  const settings = desk.state.value.station?.settings
  if (!settings) return null
  return (
    <header class={style.top}>
      <div class={style.place}>
        <strong>{settings.event_name}</strong>
        <span>{voice.t('till.label')}</span>
      </div>
      <DateChoice />
      <LinkMark />
      <nav aria-label={voice.t('tools.label')}>
        <Tool
          icon="search"
          label={voice.t('till.find')}
          shortcut={tillShortcuts.search}
          onPress={() => till.find('')}
        />
        <Tool
          icon="till"
          label={voice.t('till.drawer')}
          pressed={state.atDrawer}
          onPress={() => till.send({ type: 'at-drawer', open: !state.atDrawer })}
        />
        <StaffAtWork />
        <Tool
          icon="entry"
          label={voice.t('till.to-entrance')}
          onPress={() => void desk.change({ task: 'entrance' })}
        />
      </nav>
    </header>
  )
}

/** What a screen reader says: what is to be paid, and what was sold. */
function Spoken() {
  const { state, t, amount } = useTill()
  const { sold, payment } = state
  return (
    <VisuallyHidden aria-live="assertive" aria-atomic="true">
      {payment && <span>{t('till.to-pay', { amount: amount(payment.sale.total) })}</span>}
      {!payment && sold && <span>{t('till.sold')}</span>}
    </VisuallyHidden>
  )
}
