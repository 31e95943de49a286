import { exactly, type Json, listSchema, pageSchema } from '../json-schema.ts'
import type { Requirement } from '../permissions.ts'
import { type Action, bodyLike, defineAction, ev, hidden, org, refusedOrHidden } from './action.ts'

const text = { type: 'string' }

const exporter: Json = exactly({
  identifier: text,
  verbose_name: text,
  input_parameters: listSchema({
    type: 'object',
    properties: { name: text, required: { type: 'boolean' }, choices: listSchema(text) },
    required: ['name', 'required'],
  }),
})

const underWay: Json = exactly({
  status: { type: 'string', enum: ['waiting', 'running'] },
  percentage: { type: ['integer', 'null'] },
})

const failed: Json = exactly({ status: { type: 'string', enum: ['failed'] }, message: text })

const exportersOf = <const B extends string>(base: B, prefix: string, needs: Requirement, about: string) => ({
  list: defineAction({
    name: `${prefix}_list`,
    tag: 'exporter',
    method: 'get',
    path: `${base}/exporters/`,
    summary: `The ways to export data of ${about}, with what each can be told. All of them are on one page.`,
    needs,
    query: ['page'],
    shows: pageSchema(exporter),
    answers: { '200': 'The exporters.', '401': '', '403': '' },
  }),
  retrieve: defineAction({
    name: `${prefix}_retrieve`,
    tag: 'exporter',
    method: 'get',
    path: `${base}/exporters/:exporter/`,
    summary: 'One exporter.',
    needs,
    shows: exporter,
    answers: { '200': 'The exporter.', ...hidden },
  }),
  run: defineAction({
    name: `${prefix}_run`,
    tag: 'exporter',
    method: 'post',
    path: `${base}/exporters/:exporter/run/`,
    summary: 'Starts an export; two at a time of a credential are carried out, others wait for their turn.',
    needs,
    body: bodyLike({
      type: 'object',
      properties: {
        _format: text,
        ...(prefix === 'exporter'
          ? {}
          : {
              events: listSchema({ type: 'string', description: 'Slugs.' }),
              all_events: { type: 'boolean' },
            }),
      },
    }),
    shows: exactly({ download: text }),
    answers: { '202': 'Where the result can be had for a day, once it is there.', ...refusedOrHidden },
  }),
  download: defineAction({
    name: `${prefix}_download`,
    tag: 'exporter',
    method: 'get',
    path: `${base}/exporters/:exporter/download/:task/:file/`,
    summary:
      'What came of an export, for the credential that asked for it. Ask again after a second at the earliest.',
    needs,
    shows: { type: 'string', format: 'binary' },
    type: '*/*',
    refusals: { '409': underWay, '410': failed },
    answers: { '200': 'The file.', ...hidden, '409': 'Not yet.', '410': 'It failed.' },
  }),
})

/** The exporters of an event. */
export const eventExporters = exportersOf(ev, 'exporter', 'can_view_orders', 'an event')

/** The exporters of an organizer. */
export const organizerExporters = exportersOf(
  org,
  'organizer_exporter',
  null,
  'the events whose orders the caller may see',
)

/** Ways to get much data at once. */
export const exporterActions: readonly Action[] = [
  ...Object.values(eventExporters),
  ...Object.values(organizerExporters),
]
