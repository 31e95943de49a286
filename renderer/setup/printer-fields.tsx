import { useSignal } from '@preact/signals'
import { guestDocuments, printerDuties } from '../../schema/bodies/print-jobs.ts'
import { printerProfileNames, printerWays, profileNamed } from '../../schema/bodies/printer-profiles.ts'
import type { Settings } from '../../schema/bodies/station-state.ts'
import { openPrintsApi } from '../api/prints-api.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { Switch, Switches } from '../parts/choices.tsx'
import { useApp } from '../parts/context.ts'
import { LabelledField, LabelledSelect } from '../parts/field.tsx'
import style from './printer-fields.module.css'
import { PrinterPreview } from './printer-preview.tsx'
import { type TypedPrinter, type TypedPrinters, typedPrinter } from './typed-printers.ts'

const api = openPrintsApi()
const mostPrinters = 8

const examples = {
  tcp: '192.168.1.60',
  ipp: 'ipp://192.168.1.61/ipp/print',
  device: '/dev/usb/lp0',
  windows: 'EPSON TM-T88VI',
  window: 'EPSON TM-T88VI',
  folder: '/srv/print',
} as const

interface Props {
  readonly typed: TypedPrinters
  readonly settings: Settings
}

/** The printers of a station: where they are, what they are like, what they print, and what is printed by itself. */
export function PrinterFields({ typed, settings }: Props) {
  const { t } = useApp().voice
  const { printers } = typed
  const duties = printerDuties.filter((one) => settings.sells || (one !== 'receipt' && one !== 'closing'))
  const isForGuests = guestDocuments.some((one) => printers.value.some(({ duties: own }) => own[one].value))
  return (
    <fieldset class={style.printers}>
      <legend>{t('printer.title')}</legend>
      {printers.value.map((printer, index) => (
        <PrinterField
          key={printer}
          {...{ printer, settings, duties }}
          number={index + 1}
          onRemove={() => {
            printers.value = printers.value.filter((one) => one !== printer)
          }}
        />
      ))}
      {printers.value.length < mostPrinters && (
        <Button
          onPress={() => {
            printers.value = [...printers.value, typedPrinter()]
          }}
        >
          {t('setup.printer-add')}
        </Button>
      )}
      {isForGuests && (
        <>
          <Wanted legend={t('setup.prints-at-entry')} wanted={typed.atEntry} />
          {settings.sells && <Wanted legend={t('setup.prints-at-sale')} wanted={typed.atSale} />}
        </>
      )}
    </fieldset>
  )
}

function Wanted({ legend, wanted }: { readonly legend: string; readonly wanted: TypedPrinters['atEntry'] }) {
  const { t } = useApp().voice
  return (
    <fieldset class={style.printers}>
      <legend>{legend}</legend>
      <Switches>
        {guestDocuments.map((one) => (
          <Switch key={one} label={t(`setup.printer-document.${one}`)} on={wanted[one]} />
        ))}
      </Switches>
    </fieldset>
  )
}

interface FieldProps {
  readonly printer: TypedPrinter
  readonly settings: Settings
  readonly number: number
  readonly duties: readonly (typeof printerDuties)[number][]
  readonly onRemove: () => void
}

function PrinterField({ printer, settings, number, duties, onRemove }: FieldProps) {
  const { t } = useApp().voice
  const { way, address, profile } = printer
  const { dialect, status, drawerPin } = profileNamed(profile.value)
  const isLine = way.value === 'tcp' || way.value === 'device'
  const isForReceipts = printer.duties.receipt.value || printer.duties.closing.value
  return (
    <fieldset class={style.printer} data-printer={number}>
      <legend>{t('setup.printer', { number })}</legend>
      <LabelledSelect
        label={t('setup.printer-way')}
        chosen={way}
        options={printerWays.map((value) => ({ value, label: t(`setup.printer-way.${value}`) }))}
      />
      <LabelledField
        label={t(`setup.printer-address.${way.value}`)}
        text={address}
        maxLength={400}
        placeholder={examples[way.value]}
      />
      <LabelledSelect
        label={t('setup.printer-profile')}
        chosen={profile}
        options={printerProfileNames.map((value) => ({ value, label: t(`setup.printer-profile.${value}`) }))}
      />
      <fieldset class={style.printers}>
        <legend>{t('setup.printer-documents')}</legend>
        <Switches>
          {duties.map((one) => (
            <Switch key={one} label={t(`setup.printer-document.${one}`)} on={printer.duties[one]} />
          ))}
        </Switches>
      </fieldset>
      {isForReceipts && dialect === 'escpos' && (
        <LabelledField label={t('setup.columns')} text={printer.columns} inputMode="numeric" maxLength={2} />
      )}
      <Switches>
        {isLine && status !== 'none' && <Switch label={t('setup.printer-answers')} on={printer.answers} />}
        {printer.duties.receipt.value && drawerPin !== null && (
          <Switch label={t('setup.printer-drawer')} on={printer.drawer} />
        )}
      </Switches>
      <PrinterPreview printer={printer} />
      <Buttons>
        <TestButton printer={printer} settings={settings} />
        <Button kind="quiet" icon="close" label={t('setup.printer-remove', { number })} onPress={onRemove}>
          {t('setup.printer-remove', { number })}
        </Button>
      </Buttons>
    </fieldset>
  )
}

/** Prints a page that shows what a printer can, once it is saved. */
function TestButton({ printer, settings }: Pick<FieldProps, 'printer' | 'settings'>) {
  const { voice, language } = useApp()
  const { t } = voice
  const said = useSignal('')
  const typed = printer.address.value.trim()
  const saved = (settings.printers ?? []).find(
    ({ way, address, profile }) =>
      way === printer.way.value &&
      profile === printer.profile.value &&
      typed !== '' &&
      (address === typed || address.startsWith(`${typed}:`)),
  )
  if (!saved) return null
  const tryIt = async () => {
    const wanted = { document: 'test', printer: saved.address, locale: language } as const
    const answer = await api.print(wanted, { key: `test-${Date.now()}`, stepUp: '' })
    said.value = answer.ok ? t('printer.test-sent') : answer.problem.detail || t('setup.not-saved')
  }
  return (
    <>
      <Button onPress={() => void tryIt()}>{t('printer.try')}</Button>
      <p role="status">{said.value}</p>
    </>
  )
}
