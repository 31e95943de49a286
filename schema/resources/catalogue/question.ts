import {
  choice,
  date,
  datetime,
  decimal,
  flag,
  id,
  integer,
  json,
  multilingual,
  nullable,
  readOnly,
  ref,
  refs,
  text,
  texts,
} from '../../fields.ts'
import { defineResource, type Row, whereEqual } from '../../resource.ts'

/** Kinds of answers: number, one line, text, yes or no, one choice, several, file, date, time, both, country, phone. */
const questionTypes = ['N', 'S', 'T', 'B', 'C', 'M', 'F', 'D', 'H', 'W', 'CC', 'TEL'] as const

/** Something to be asked about an order position, when it is bought or at the entrance. */
export const question = defineResource({
  name: 'question',
  path: 'questions',
  scope: 'event',
  fields: {
    id: id(),
    question: multilingual(),
    help_text: nullable(multilingual({ default: {} })),
    type: choice(questionTypes),
    required: flag(false),
    position: integer({ default: 0 }),
    items: refs('item'),
    identifier: nullable(text({ default: '', maxLength: 190, pattern: '^[a-zA-Z0-9.\\-_]*$' })),
    ask_during_checkin: flag(false),
    show_during_checkin: flag(false),
    hidden: flag(false),
    print_on_invoice: flag(false),
    valid_number_min: nullable(decimal()),
    valid_number_max: nullable(decimal()),
    valid_date_min: nullable(date()),
    valid_date_max: nullable(date()),
    valid_datetime_min: nullable(datetime()),
    valid_datetime_max: nullable(datetime()),
    valid_string_length_max: nullable(integer({ minimum: 1 })),
    valid_file_portrait: flag(false),
    dependency_question: nullable(ref('question', 'clear')),
    dependency_values: texts({ default: [] }),
  },
  computed: {
    options: readOnly(json({ type: 'array', items: { type: 'object' } })),
    dependency_value: readOnly(nullable(text())),
  },
  filters: whereEqual('identifier', 'ask_during_checkin', 'required'),
  ordering: { allowed: ['id', 'position'], default: 'position' },
  permission: { read: null, write: 'can_change_items' },
  conditional: true,
  replicate: true,
  offline: 'forward',
})

export type Question = Row<typeof question>
