import { eventSettings, organizerOnlySettings, type Setting } from '../event-settings.ts'
import { exactly, type Json, orNull, plain, seen } from '../json-schema.ts'
import { textShape, yesNo } from './shapes.ts'

type Settings = Readonly<Record<string, Setting>>

const ofOrganizers: Settings = { ...organizerOnlySettings, ...eventSettings }

const setting = (schema: Json): Json => ({
  anyOf: [schema, exactly({ value: schema, label: textShape, help_text: textShape, readonly: yesNo })],
})

const settingsShape = (settings: Settings, more: string): Json => ({
  description: `With \`explain\`, each value with its label and its help. ${more}`,
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(settings).map(([name, { field }]) => [name, setting(seen(field))]),
  ),
})

/** Settings of events and organizers as they are shown. */
export const settingsShapes: Readonly<Record<string, Json>> = {
  Settings: settingsShape(eventSettings, 'Devices see some of them.'),
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
