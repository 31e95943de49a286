import { id, integer, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** The PDF that a layout is printed on. Apart from its layout, so that it travels and is read only where it is needed. */
export const layoutBackground = defineResource({
  name: 'layout_background',
  path: null,
  scope: 'event',
  fields: {
    id: id(),
    /** The layout of badges or tickets. */
    layout: integer(),
    /** The file in base64. */
    content: text({ maxLength: 14_000_000 }),
  },
  permission: { read: null, write: 'can_change_event_settings' },
  omit: ['create', 'update', 'replace', 'delete'],
  replicate: true,
  offline: 'forward',
})
