import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import type { Entry } from '../scanning/entries.ts'
import { what, who } from '../scanning/wording.ts'
import { clock } from '../text/format.ts'
import { GuestName, Headline, NextStep, ProductTitle, ResultLayout } from './result-layout.tsx'

/** Asks whether an admission is to be taken back behind which something else was scanned. */
export function UndoQuestion({ entry }: { readonly entry: Entry }) {
  const { desk, voice, actions } = useApp()
  const { t, timeZone, language } = voice
  return (
    <ResultLayout
      look="question"
      shape="undone"
      label={t('undo.ask')}
      buttons={
        <>
          <Button
            kind="primary"
            icon="undo"
            disabled={entry.undo !== 'none'}
            onPress={() => void desk.undo(entry)}
          >
            {t('undo.yes')}
          </Button>
          <Button icon="close" onPress={actions.close}>
            {t('undo.no')}
          </Button>
        </>
      }
    >
      <Headline small>{t('undo.ask')}</Headline>
      <GuestName large name={who(entry, voice) || entry.read.code} />
      <ProductTitle>{what(entry, voice)}</ProductTitle>
      <NextStep>{t('undo.ask.since', { time: clock(entry.read.at, timeZone, language) })}</NextStep>
    </ResultLayout>
  )
}
