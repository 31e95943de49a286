import { countryCodes } from '../../../schema/countries.ts'
import { eventSettings, organizerOnlySettings, type Setting } from '../../../schema/event-settings.ts'
import type { Fields, JsonObject } from '../../../schema/fields.ts'
import { readInstant, shownInstant } from '../../../schema/instants.ts'
import { signatureSchemes } from '../../../schema/resources/checkin/event-key.ts'
import { isMailAddress } from '../../domain/notifications/mail-schedule.ts'
import { askedParts, nameSchemes, salutations } from '../../domain/text/names.ts'
import { isRelativeMoment, isTimeZone } from '../../domain/text/zones.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { readBody } from '../../resource/input.ts'

/** Whose settings are read or changed. */
type Owner = 'organizer' | 'event'

const settings: Readonly<Record<Owner, Readonly<Record<string, Setting>>>> = {
  event: eventSettings,
  organizer: { ...organizerOnlySettings, ...eventSettings },
}

const fieldsOf = (owner: Owner): Fields =>
  Object.fromEntries(Object.entries(settings[owner]).map(([key, { field }]) => [key, field]))

const fields: Readonly<Record<Owner, Fields>> = {
  event: fieldsOf('event'),
  organizer: fieldsOf('organizer'),
}

/** What a setting must be beyond its type: a complaint, or undefined when there is none. */
const rules: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  timezone: (value) => (isTimeZone(String(value)) ? undefined : 'This is not the name of a time zone.'),
  locales: (value) => ((value as unknown[]).length > 0 ? undefined : 'At least one language is needed.'),
  region: (value) => (countryCodes.has(String(value)) ? undefined : 'This is not the code of a country.'),
  invoice_address_from_country: (value) =>
    value === '' || countryCodes.has(String(value)) ? undefined : 'This is not the code of a country.',
  name_scheme: (value) =>
    Object.hasOwn(nameSchemes, String(value)) ? undefined : 'There is no such name scheme.',
  ticket_secret_generator: (value) =>
    (['random', ...signatureSchemes] as readonly unknown[]).includes(value)
      ? undefined
      : `Choose one of random, ${signatureSchemes.join(', ')}.`,
  mail_from: addressProblem,
  mail_reply_to: addressProblem,
  invoice_email_organizer: (value) =>
    value === ''
      ? undefined
      : String(value)
          .split(',')
          .map((one) => addressProblem(one.trim()))
          .find((problem) => problem),
  ticket_download_date: momentProblem,
  last_order_modification_date: momentProblem,
}

function addressProblem(value: unknown): string | undefined {
  return isMailAddress(String(value)) ? undefined : 'Enter a valid email address.'
}

function momentProblem(value: unknown): string | undefined {
  const text = String(value)
  return readInstant(text) || isRelativeMoment(text)
    ? undefined
    : 'Use a date and time, or RELDATE/days/time/base/.'
}

const plain = (value: unknown): unknown => {
  const instant = typeof value === 'string' ? readInstant(value) : undefined
  return instant === undefined ? value : shownInstant(instant)
}

/** Messages about what is required although it is not asked for, of what a request is about. */
function notAsked(values: JsonObject, sent: ReadonlySet<string>): FieldErrors {
  const asked = ['attendee_names', 'attendee_emails', 'invoice_address'].filter(
    (name) => sent.has(`${name}_required`) || sent.has(`${name}_asked`),
  )
  const wrong = asked.filter(
    (name) => values[`${name}_required`] === true && values[`${name}_asked`] !== true,
  )
  return Object.fromEntries(
    wrong.map((name) => [`${name}_required`, ['Only what is asked for can be required.']]),
  )
}

/**
 * Own settings after a request changed some: null takes a setting back to what is inherited. Unknown keys are ignored.
 * Throws 400 with messages by setting.
 */
export function changedSettings(
  owner: Owner,
  own: JsonObject,
  inherited: JsonObject,
  body: unknown,
): JsonObject {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid({ non_field_errors: ['Invalid data. Expected an object.'] })
  const sent = Object.entries(body).filter(([key]) => Object.hasOwn(fields[owner], key))
  const given = Object.fromEntries(sent.filter(([, value]) => value !== null))
  const values: Record<string, unknown> = readBody(fields[owner], given, { partial: true, locale: 'en' })
  const errors: FieldErrors = {}
  for (const [key, value] of Object.entries(values)) {
    const problem = rules[key]?.(value)
    if (problem) errors[key] = [problem]
    else values[key] = plain(value)
  }
  const next: Record<string, unknown> = { ...own, ...values }
  for (const [key, value] of sent) if (value === null) delete next[key]
  const { locale, locales } = { ...inherited, ...next } as { locale: string; locales: string[] }
  if (!errors.locale && !errors.locales && !locales.includes(locale))
    errors.locale = ['The default language must be one of the available languages.']
  Object.assign(errors, notAsked({ ...inherited, ...next }, new Set(sent.map(([key]) => key))))
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return next
}

/** Settings as the API shows them: the values, or with `explain` what they mean too. Devices see what is shared. */
export function shownSettings(
  owner: Owner,
  values: JsonObject,
  options: { explain: boolean; device: boolean },
): JsonObject {
  const keys = Object.entries(settings[owner]).filter(([, setting]) => setting.shared || !options.device)
  return {
    ...Object.fromEntries(
      keys.map(([key, setting]) => [key, options.explain ? explained(setting, values[key]) : values[key]]),
    ),
    ...(options.device && !options.explain ? formOfNames(String(values.name_scheme)) : {}),
  }
}

/** What devices build a form of names from. */
const formOfNames = (scheme: string): JsonObject => ({
  _name_scheme_fields: askedParts(scheme),
  _name_scheme_salutations: salutations.map((key) => ({ key, label: key })),
  _name_scheme_titles: [],
})

const explained = (setting: Setting, value: unknown): JsonObject => ({
  value,
  label: setting.label,
  help_text: setting.help ?? '',
  readonly: false,
})
