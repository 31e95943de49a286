import type { TillDrawer } from '../../../schema/bodies/sale-catalogue.ts'
import { useTill } from '../context.ts'

/** Which tills work at a drawer, and who has signed in at them. */
export function TillsAtDrawer({ drawer }: { readonly drawer: TillDrawer }) {
  const { t } = useTill()
  const tills = drawer.tills.map(({ name, cashier, here }) => {
    const till = here ? t('till.this-till', { name }) : name
    return cashier === null ? till : `${till} (${cashier})`
  })
  return <p data-tills={drawer.tills.length}>{t('till.tills-at-drawer', { tills: tills.join(', ') })}</p>
}
