import { type Signal, useSignal } from '@preact/signals'
import type { Settings } from '../../schema/bodies/station-state.ts'
import { openPrintsApi } from '../api/prints-api.ts'
import { Button } from '../parts/button.tsx'
import { Switch, Switches } from '../parts/choices.tsx'
import { useApp } from '../parts/context.ts'
import { LabelledField } from '../parts/field.tsx'

const api = openPrintsApi()

/** Receipt printers as they are typed: their addresses, and what all of them can. */
export interface TypedPrinters {
  readonly addresses: Signal<string>
  readonly columns: Signal<string>
  readonly answers: Signal<boolean>
  readonly drawer: Signal<boolean>
}

const usualColumns = 42
const usualPort = 9100

/** The fields as they are at the beginning. */
export function useTypedPrinters(settings: Settings | null): TypedPrinters {
  const printers = settings?.printers ?? []
  const [first] = printers
  return {
    addresses: useSignal(addressesOf(printers)),
    columns: useSignal(String(first?.columns ?? usualColumns)),
    answers: useSignal(first?.answers ?? true),
    drawer: useSignal(first?.drawer ?? true),
  }
}

const addressesOf = (printers: NonNullable<Settings['printers']>): string =>
  printers.map(({ host, port = usualPort }) => (port === usualPort ? host : `${host}:${port}`)).join(', ')

/** The same as they are stored. */
export const printersTyped = ({ addresses, columns, answers, drawer }: TypedPrinters) =>
  addresses.value
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((address) => {
      const [host = '', port] = address.split(':')
      return {
        ...{ host, columns: Number(columns.value) || usualColumns, answers: answers.value },
        ...{ drawer: drawer.value, ...(port ? { port: Number(port) } : {}) },
      }
    })

/** Where the receipt printers of a till are, and a page that shows what they can. */
export function PrinterFields({
  typed,
  settings,
}: {
  readonly typed: TypedPrinters
  readonly settings: Settings
}) {
  const { voice, language } = useApp()
  const { t } = voice
  const said = useSignal('')
  const isTyped = typed.addresses.value.trim() !== ''
  const isSaved = isTyped && typed.addresses.value.trim() === addressesOf(settings.printers ?? [])
  const tryIt = async () => {
    const answer = await api.print(
      { document: 'test', locale: language },
      { key: `test-${Date.now()}`, stepUp: '' },
    )
    said.value = answer.ok ? t('printer.test-sent') : answer.problem.detail || t('setup.not-saved')
  }
  return (
    <>
      <LabelledField
        label={t('setup.printers')}
        text={typed.addresses}
        maxLength={500}
        placeholder="192.168.1.60, 192.168.1.61"
      />
      {isTyped && (
        <>
          <LabelledField label={t('setup.columns')} text={typed.columns} inputMode="numeric" maxLength={2} />
          <Switches>
            <Switch label={t('setup.printer-answers')} on={typed.answers} />
            <Switch label={t('setup.printer-drawer')} on={typed.drawer} />
          </Switches>
        </>
      )}
      {isSaved && (
        <>
          <Button onPress={() => void tryIt()}>{t('printer.try')}</Button>
          <p role="status">{said.value}</p>
        </>
      )}
    </>
  )
}
