import { useSignal } from '@preact/signals'
import type { CountedCash } from '../../../schema/bodies/drawers.ts'
import { Button, Buttons } from '../../parts/button.tsx'
import { LabelledField } from '../../parts/field.tsx'
import { writtenAmount } from '../amounts.ts'
import { useTill } from '../context.ts'
import { countedPieces, type TypedPieces } from './cash-count.ts'
import { DrawerForm } from './drawer-form.tsx'
import { PieceFields } from './piece-fields.tsx'

/** What was counted in a drawer, as a sum or by notes and coins. */
export function ClosingForm({ onCounted }: { readonly onCounted: (count: CountedCash) => Promise<void> }) {
  const { t } = useTill()
  const counted = useSignal('')
  const reason = useSignal('')
  const pieces = useSignal<TypedPieces>({})
  const byPieces = useSignal(false)
  const count = byPieces.value ? countedAs(pieces.value) : countedInAll(counted.value)
  const close = () => onCounted({ ...count, reason: reason.value.trim() })
  return (
    <DrawerForm>
      {/* With keys, or one field takes over the element of the other, and how much may be typed into it. */}
      {byPieces.value ? (
        <PieceFields key="pieces" pieces={pieces} />
      ) : (
        <LabelledField
          key="counted"
          id="cash-counted"
          label={t('till.counted')}
          text={counted}
          inputMode="decimal"
        />
      )}
      <LabelledField key="reason" id="close-reason" label={t('till.reason')} text={reason} maxLength={255} />
      <Buttons>
        <Button kind="primary" disabled={count === null} onPress={() => void close()}>
          {t('till.close-drawer')}
        </Button>
        <Button
          pressed={byPieces.value}
          onPress={() => {
            byPieces.value = !byPieces.value
          }}
        >
          {t('till.notes-and-coins')}
        </Button>
      </Buttons>
    </DrawerForm>
  )
}

/** What was counted, as it is sent: by notes and coins, whose sum the station works out. */
function countedAs(pieces: TypedPieces): Pick<CountedCash, 'denominations'> | null {
  const denominations = countedPieces(pieces)
  return denominations && { denominations }
}

function countedInAll(text: string): Pick<CountedCash, 'counted'> | null {
  const counted = writtenAmount(text)
  return counted === null ? null : { counted }
}
