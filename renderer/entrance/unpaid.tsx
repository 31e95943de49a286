import { Button } from '../parts/button.tsx'
import { Shape } from '../parts/shape.tsx'
import type { Entry } from '../scanning/entries.ts'
import { useAround } from '../scanning/surroundings.ts'
import { headline, nextStep, what, who } from './wording.ts'

/** An unpaid ticket on a list that may let it in: somebody has to say so. */
export function Unpaid({ entry }: { readonly entry: Entry }) {
  const { voice, actions } = useAround()
  return (
    <section class="result" data-result="question" data-reason="unpaid" aria-label={voice.t('result.label')}>
      <Shape name="unpaid" />
      <div class="words">
        <h1 class="verdict large">{headline(entry, voice)}</h1>
        <p class="name">{who(entry, voice)}</p>
        <p class="product">{what(entry, voice)}</p>
        <p class="step">{nextStep(entry, voice)}</p>
        <div class="buttons">
          <Button kind="primary" icon="check" onPress={() => actions.waive(entry)}>
            {voice.t('unpaid.admit')}
          </Button>
          <Button icon="close" onPress={actions.close}>
            {voice.t('unpaid.refuse')}
          </Button>
        </div>
      </div>
    </section>
  )
}
