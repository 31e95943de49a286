import { flag, id, integer, multilingual, nullable, ref, text } from '../../fields.ts'
import { defineResource, type Row, whereEqual } from '../../resource.ts'

/** One of the answers that a choice question offers. */
export const questionOption = defineResource({
  name: 'question_option',
  path: 'options',
  scope: 'event',
  parent: { resource: 'question', field: 'question' },
  fields: {
    id: id(),
    identifier: nullable(text({ default: '', maxLength: 190, pattern: '^[a-zA-Z0-9.\\-_]*$' })),
    position: integer({ default: 0 }),
    answer: multilingual(),
  },
  hidden: { question: ref('question', 'cascade'), active: flag(true) },
  filters: whereEqual('active'),
  ordering: { allowed: ['id', 'position'], default: 'position' },
  permission: { read: null, write: 'can_change_items' },
  replicate: true,
  offline: 'forward',
})

export type QuestionOption = Row<typeof questionOption>
