import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import type { Entry } from '../scanning/entries.ts'
import { headline, nextStep, what, who } from '../scanning/wording.ts'
import { GuestName, Headline, NextStep, ProductTitle, ResultLayout } from './result-layout.tsx'

/** An unpaid ticket on a list that may let it in: somebody has to say so. */
export function Unpaid({ entry }: { readonly entry: Entry }) {
  const { voice, actions } = useApp()
  return (
    <ResultLayout
      look="question"
      reason="unpaid"
      shape="unpaid"
      buttons={
        <>
          <Button kind="primary" icon="check" onPress={() => actions.waive(entry)}>
            {voice.t('unpaid.admit')}
          </Button>
          <Button icon="close" onPress={actions.close}>
            {voice.t('unpaid.refuse')}
          </Button>
        </>
      }
    >
      <Headline>{headline(entry, voice)}</Headline>
      <GuestName name={who(entry, voice)} />
      <ProductTitle>{what(entry, voice)}</ProductTitle>
      <NextStep>{nextStep(entry, voice)}</NextStep>
    </ResultLayout>
  )
}
