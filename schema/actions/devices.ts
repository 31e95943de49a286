import { hardwareBody, initializationBody } from '../described/account-bodies.ts'
import { text, wholeOrNull } from '../described/shapes.ts'
import { exactly, the } from '../json-schema.ts'
import { type Action, hidden, org } from './action.ts'

const deviceAction = (
  name: string,
  summary: string,
  needs: Action['needs'],
  method: Action['method'] = 'post',
  body?: object,
): Action => ({
  name: `own_device_${name}`,
  tag: 'device',
  method,
  path: `/api/v1/device/${name}`,
  summary,
  needs,
  ...(body ? { body } : {}),
  shows:
    name === 'info'
      ? exactly({
          device: the('OwnDevice'),
          server: exactly({ version: the('Version') }),
          medium_key_sets: { type: 'array', maxItems: 0 },
        })
      : the('OwnDevice'),
  answers: { '200': 'The device.' },
})

/** Endpoints of devices beyond the standard ones. */
export const deviceActions: readonly Action[] = [
  {
    name: 'device_revoke_by_organizer',
    tag: 'device',
    method: 'post',
    path: `${org}/devices/:id/revoke/`,
    summary: 'Takes a device its access for good.',
    needs: 'can_change_organizer_settings',
    shows: the('Device'),
    answers: { '200': 'The device.', ...hidden },
  },
  deviceAction(
    'initialize',
    'Exchanges an initialization token for a device token.',
    'nothing',
    'post',
    initializationBody,
  ),
  deviceAction('update', 'Tells what a device runs on and runs.', null, 'post', hardwareBody),
  deviceAction('roll', 'Exchanges the device token for a new one.', null),
  deviceAction('revoke', 'Gives up the device’s own access for good.', null),
  deviceAction('info', 'The device and this server.', null, 'get'),
  {
    name: 'device_eventselection',
    tag: 'device',
    method: 'get',
    path: '/api/v1/device/eventselection',
    summary: 'The event, date and check-in list that the device should be set to now.',
    needs: null,
    query: ['current_event', 'current_subevent', 'current_checkinlist'],
    shows: exactly({
      event: exactly({ slug: text, name: { type: 'object', additionalProperties: text } }),
      subevent: wholeOrNull,
      checkinlist: wholeOrNull,
    }),
    answers: { '200': 'What to change to.', '304': 'Keep the current ones.', '404': '' },
  },
]
