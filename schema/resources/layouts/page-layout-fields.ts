import { layoutBody } from '../../body-limits.ts'
import { flag, id, json, nullable, readOnly, text } from '../../fields.ts'
import type { PageElement } from '../../page-elements.ts'

/** What layouts of badges and of tickets have in common: the elements of a page, and the PDF that they are printed on. */
export const pageLayout = {
  bodyLimit: layoutBody,
  scope: 'event',
  fields: {
    id: id(),
    name: text({ maxLength: 190 }),
    default: flag(false),
    /** May be sent as JSON text, and is shown as a list; schema/page-elements.ts says what is in it. */
    layout: json<readonly PageElement[]>({ type: ['array', 'string'] }),
    /** The name of an uploaded PDF; shown is the address of the one in use. */
    background: nullable(text({ maxLength: 1000 })),
  },
  computed: { item_assignments: readOnly(json({ type: 'array', items: { type: 'object' } })) },
  ordering: { allowed: ['id', 'name'], default: 'name' },
  permission: { read: null, write: 'can_change_event_settings' },
  replicate: true,
  offline: 'forward',
} as const
