import { choice, type Fields, json, text, time } from '../../fields.ts'
import { exactly, type Json, pageSchema } from '../../json-schema.ts'
import { textLanguages } from '../../multilingual.ts'
import {
  type Action,
  bodyWith,
  changesOf,
  defineAction,
  ev,
  hidden,
  org,
  refused,
  refusedOrHidden,
} from '../action.ts'

/** Addresses with commas between them. */
const recipients = text({ default: '' })

/** What is said of a scheduled export of an event. */
export const scheduledExportInput = {
  export_identifier: text({ maxLength: 190 }),
  export_form_data: json<Readonly<Record<string, unknown>>>({ type: 'object' }),
  locale: choice(textLanguages, { default: 'en' }),
  mail_additional_recipients: recipients,
  mail_additional_recipients_cc: recipients,
  mail_additional_recipients_bcc: recipients,
  mail_subject: text({ maxLength: 250 }),
  mail_template: text({ maxLength: 20_000 }),
  schedule_rrule: text({ maxLength: 1000 }),
  schedule_rrule_time: time(),
} satisfies Fields

/** The same of an organizer, whose time zone has to be said. */
export const organizerScheduledExportInput = {
  ...scheduledExportInput,
  timezone: text({ default: 'UTC', maxLength: 60 }),
} satisfies Fields

const word = { type: 'string' } as const

const shown = (more: Json): Json =>
  exactly({
    ...{
      id: { type: 'integer' },
      owner: word,
      export_identifier: word,
      export_form_data: { type: 'object' },
    },
    ...{ locale: word, mail_additional_recipients: word, mail_additional_recipients_cc: word },
    ...{ mail_additional_recipients_bcc: word, mail_subject: word, mail_template: word },
    ...{ schedule_rrule: word, schedule_rrule_time: word },
    schedule_next_run: { type: ['string', 'null'], format: 'date-time' },
    ...more,
    error_counter: { type: 'integer' },
  })

interface Level<B extends string, F extends Fields> {
  readonly base: B
  readonly prefix: string
  readonly input: F
  readonly row: Json
}

const scheduledExportsOf = <const B extends string, const F extends Fields>({
  base,
  prefix,
  input,
  row,
}: Level<B, F>) => {
  const one = `${base}/scheduled_exports/:id/` as const
  const all = `${base}/scheduled_exports/` as const
  const common = { tag: 'scheduled_export', needs: null, shows: row } as const
  return {
    list: defineAction({
      ...common,
      name: `${prefix}_list`,
      method: 'get',
      path: all,
      summary:
        'The exports that are made again and again: all of them, or the own ones of who may not change settings.',
      query: ['page', 'page_size', 'ordering'],
      shows: pageSchema(row),
      answers: { '200': 'A page.', ...hidden },
    }),
    create: defineAction({
      ...common,
      name: `${prefix}_create`,
      method: 'post',
      path: all,
      summary: 'Has an export made again and again and mailed, to who asks for it and to others.',
      body: bodyWith(input),
      answers: { '201': 'The scheduled export.', ...refused },
    }),
    retrieve: defineAction({
      ...common,
      name: `${prefix}_retrieve`,
      method: 'get',
      path: one,
      summary: 'One scheduled export.',
      answers: { '200': 'The scheduled export.', ...hidden },
    }),
    update: defineAction({
      ...common,
      name: `${prefix}_update`,
      method: 'patch',
      path: one,
      summary: 'Changes some of a scheduled export; one that was given up after errors is tried again.',
      body: changesOf(input),
      answers: { '200': 'The scheduled export.', ...refusedOrHidden },
    }),
    replace: defineAction({
      ...common,
      name: `${prefix}_replace`,
      method: 'put',
      path: one,
      summary: 'Replaces all of a scheduled export; one that was given up after errors is tried again.',
      body: bodyWith(input),
      answers: { '200': 'The scheduled export.', ...refusedOrHidden },
    }),
    remove: defineAction({
      name: `${prefix}_delete`,
      tag: 'scheduled_export',
      method: 'delete',
      path: one,
      summary: 'Ends a scheduled export.',
      needs: null,
      shows: null,
      answers: { '204': 'It is gone.', ...hidden },
    }),
  }
}

/** Exports of an event that are made again and again. */
export const eventScheduledExports = scheduledExportsOf({
  ...{ base: ev, prefix: 'scheduled_export', input: scheduledExportInput, row: shown({}) },
})

/** The same of an organizer. */
export const organizerScheduledExports = scheduledExportsOf({
  ...{ base: org, prefix: 'organizer_scheduled_export', input: organizerScheduledExportInput },
  row: shown({ timezone: word }),
})

/** Exports that are made again and again. */
export const scheduledExportActions: readonly Action[] = [
  ...Object.values(eventScheduledExports),
  ...Object.values(organizerScheduledExports),
]
