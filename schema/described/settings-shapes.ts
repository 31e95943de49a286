import { eventSettings, organizerOnlySettings, type Setting } from '../event-settings.ts'
import { exactly, type Json, orNull, plain, seen } from '../json-schema.ts'
import { textShape, yesNo } from './shapes.ts'

type Settings = Readonly<Record<string, Setting>>

const ofOrganizers: Settings = { ...organizerOnlySettings, ...eventSettings }

const setting = (schema: Json): Json => ({
  anyOf: [schema, exactly({ value: schema, label: textShape, help_text: textShape, readonly: yesNo })],
})

const settingsShape = (
  settings: Settings,
  more: string,
  also: Readonly<Record<string, Json>> = {},
): Json => ({
  description: `With \`explain\`, each value with its label and its help. ${more}`,
  type: 'object',
  properties: {
    ...Object.fromEntries(Object.entries(settings).map(([name, { field }]) => [name, setting(seen(field))])),
    ...also,
  },
})

const choices = (more: Readonly<Record<string, Json>>): Json => ({
  type: 'array',
  items: exactly({ key: textShape, label: textShape, ...more }),
})

/** What devices are shown beside of settings: what a form of names is built from. */
const formOfNames: Readonly<Record<string, Json>> = {
  _name_scheme_fields: choices({ weight: { type: 'integer' } }),
  _name_scheme_salutations: choices({}),
  _name_scheme_titles: choices({}),
}

/** Settings of events and organizers as they are shown. */
export const settingsShapes: Readonly<Record<string, Json>> = {
  Settings: settingsShape(eventSettings, 'Devices see some of them.', formOfNames),
  OrganizerSettings: settingsShape(ofOrganizers, 'Events inherit them, but for `require_2fa`.'),
}

const settingsOf = (settings: Settings): Json => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(settings).map(([name, { field }]) => [name, orNull(plain(field))]),
  ),
})

/** Some settings, and null for those that are to be as if nothing had been said. */
export const settingsBody: Json = settingsOf(eventSettings)

/** The same of an organizer. */
export const organizerSettingsBody: Json = settingsOf(ofOrganizers)
