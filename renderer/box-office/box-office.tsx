import { useApp } from '../parts/context.ts'
import { Tool } from '../parts/tool.tsx'
import { VisuallyHidden } from '../parts/visually-hidden.tsx'
import { tillShortcuts } from '../scanning/shortcuts.ts'
import { StaffAtWork, StaffQuestions, useIdleLock } from '../sign-in/staff-at-work.tsx'
import { LinkMark } from '../station/link-mark.tsx'
import style from './box-office.module.css'
import { TillContext, useTill } from './context.ts'
import { DisplayPanel } from './display/display-panel.tsx'
import { DrawerPanel } from './drawer/drawer-panel.tsx'
import { OrderPanel } from './orders/order-panel.tsx'
import { OrderSearch } from './orders/order-search.tsx'
import { chosenOrder } from './orders/order-state.ts'
import { PaymentPanel } from './payment/payment-panel.tsx'
import { SoldPanel } from './payment/sold-panel.tsx'
import { Unsettled } from './payment/unsettled.tsx'
import { ReceiptsPanel } from './receipts/receipts-panel.tsx'
import { Unprinted } from './receipts/unprinted.tsx'
import { SeatPanel } from './seats/seat-panel.tsx'
import { BasketPanel } from './selling/basket-panel.tsx'
import { DateChoice } from './selling/date-choice.tsx'
import { DetailsPanel, shownPage } from './selling/details-panel.tsx'
import { ProductChoice } from './selling/product-choice.tsx'
import { ProductGrid } from './selling/product-grid.tsx'
import type { Till } from './till.ts'
import type { TillState } from './till-state.ts'

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
      <Unprinted />
      <main class={style.stage}>
        {view === 'paying' && <PaymentPanel />}
        {view === 'asking' && <DetailsPanel />}
        {view === 'choosing' && <ProductChoice />}
        {view === 'seats' && <SeatPanel />}
        {view === 'finding' && <OrderSearch />}
        {view === 'drawer' && <DrawerPanel />}
        {view === 'display' && <DisplayPanel />}
        {view === 'receipts' && <ReceiptsPanel />}
        {view === 'order' && <OrderPanel />}
        {view === 'selling' && <ProductGrid />}
        {state.sold && state.lines.length === 0 ? <SoldPanel /> : <BasketPanel />}
      </main>
      <Spoken />
      <StaffQuestions locks />
    </div>
  )
}

/** What stands beside the basket. */
function viewOf(
  state: TillState,
):
  | 'paying'
  | 'asking'
  | 'choosing'
  | 'order'
  | 'finding'
  | 'drawer'
  | 'display'
  | 'receipts'
  | 'selling'
  | 'seats' {
  if (state.payment) return 'paying'
  if (state.orders) return chosenOrder(state) ? 'order' : 'finding'
  if (state.receipts !== null) return 'receipts'
  if (state.atDrawer) return 'drawer'
  if (state.atDisplay) return 'display'
  if (shownPage(state)) return 'asking'
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
          shortcut={tillShortcuts.drawer}
          pressed={state.atDrawer}
          onPress={() => till.send({ type: 'at-drawer', open: !state.atDrawer })}
        />
        <Tool
          icon="screen"
          label={voice.t('till.display.short')}
          pressed={state.atDisplay}
          onPress={() => till.send({ type: 'at-display', open: !state.atDisplay })}
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
